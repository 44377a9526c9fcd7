//! Which jobs lie in a node's memory, and who must make room for whom.

/// One node's memory. Jobs are numbers; a job that is not listed has nothing here.
#[derive(Clone, Debug)]
pub enum Memory {
    /// (job, resident), oldest first.
    Described { capacity: i64, held: Vec<(usize, i64)> },
    /// As the thesis's program keeps it: whole jobs, oldest first, of which it knows the requirement; and what it remembers
    /// about jobs that it took off that list.
    Printed { capacity: i64, list: Vec<(usize, i64)>, remnants: Vec<(usize, i64)> },
}

impl Memory {
    pub fn new(capacity: i64, printed: bool) -> Memory {
        if printed {
            Memory::Printed { capacity, list: Vec::new(), remnants: Vec::new() }
        } else {
            Memory::Described { capacity, held: Vec::new() }
        }
    }

    pub fn resident(&self, job: usize) -> i64 {
        match self {
            Memory::Described { held, .. } => amount(held, job),
            Memory::Printed { list, remnants, .. } => amount(list, job) + amount(remnants, job),
        }
    }

    /// What the allocator takes to be free.
    pub fn free(&self) -> i64 {
        match self {
            Memory::Described { capacity, held } => capacity - sum(held),
            Memory::Printed { capacity, list, .. } => capacity - sum(list),
        }
    }

    /// Everything that lies here in truth.
    pub fn used(&self) -> i64 {
        match self {
            Memory::Described { held, .. } => sum(held),
            Memory::Printed { list, remnants, .. } => sum(list) + sum(remnants),
        }
    }

    pub fn forget(&mut self, job: usize) {
        match self {
            Memory::Described { held, .. } => held.retain(|(other, _)| *other != job),
            Memory::Printed { list, remnants, .. } => {
                list.retain(|(other, _)| *other != job);
                remnants.retain(|(other, _)| *other != job);
            }
        }
    }

    /// Makes the job wholly resident; returns who is charged for how much.
    pub fn settle(&mut self, job: usize, memory: i64) -> Vec<(usize, i64)> {
        match self {
            Memory::Described { capacity, held } => settle_described(*capacity, held, job, memory),
            Memory::Printed { capacity, list, remnants } => {
                settle_printed(*capacity, list, remnants, job, memory)
            }
        }
    }
}

fn amount(held: &[(usize, i64)], job: usize) -> i64 {
    held.iter().filter(|(other, _)| *other == job).map(|(_, amount)| amount).sum()
}

fn sum(held: &[(usize, i64)]) -> i64 {
    held.iter().map(|(_, amount)| amount).sum()
}

fn settle_described(
    capacity: i64,
    held: &mut Vec<(usize, i64)>,
    job: usize,
    memory: i64,
) -> Vec<(usize, i64)> {
    let need = memory - amount(held, job);
    if need == 0 {
        return Vec::new();
    }
    let mut free = capacity - sum(held);
    let mut displaced = Vec::new();
    for (other, resident) in held.iter_mut() {
        if *other != job && free < need && *resident > 0 {
            let taken = (*resident).min(need - free);
            *resident -= taken;
            free += taken;
            displaced.push((*other, taken));
        }
    }
    assert!(free >= need, "a job is larger than the node");
    held.retain(|(other, _)| *other != job);
    held.push((job, memory));
    displaced
}

fn settle_printed(
    capacity: i64,
    list: &mut Vec<(usize, i64)>,
    remnants: &mut Vec<(usize, i64)>,
    job: usize,
    memory: i64,
) -> Vec<(usize, i64)> {
    if list.iter().any(|(other, _)| *other == job) {
        return Vec::new();
    }
    let mut charged = Vec::new();
    loop {
        let free = capacity - sum(list);
        if free >= memory {
            break;
        }
        let (oldest, requirement) = list.remove(0);
        if free + requirement >= memory {
            let taken = memory - free;
            remnants.push((oldest, taken));
            charged.push((oldest, taken));
        }
    }
    remnants.retain(|(other, _)| *other != job);
    list.push((job, memory));
    charged
}
