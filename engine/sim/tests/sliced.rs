//! Scenes for time slicing: a machine, its slices and a few jobs in one line of text, run slowly and compared with a log.

use crate::naive::time_sliced::{Class, Event, Fit, Line, Outcome, Place, Rules, What, Work, run};
use expect_test::Expect;
use std::fmt::{self, Write};

/// Jobs that have not ended by then, in seconds, never will: they lose more in every interval than they gain.
const HORIZON: i64 = 100_000;

#[derive(Clone)]
pub struct Sliced {
    pub rules: Rules,
    pub jobs: Vec<Work>,
}

/// Short enough to read in the report of a failed property.
impl fmt::Debug for Sliced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.rules)?;
        for Work { id, submit, width, run, memory } in &self.jobs {
            write!(f, "; {id} {submit} {width}x{run}/{memory}")?;
        }
        Ok(())
    }
}

impl Sliced {
    /// Reads `NODES LONG MEDIUM SHORT [OPTION…]; NAME SUBMIT WIDTHxRUN/MEMORY; …`: shares in percent, times in seconds. Nodes
    /// hold 400, which takes 10 seconds to move; intervals are of 100 seconds, so that a percent is a second; short is below 30
    /// and long above 50 seconds. Options: `easy`, `adaptive`, `own-only`, `last-displaced`, `free-transfer`, `intelligent`,
    /// `fit=FIRST,SECOND`, and after the latter `unfit-as-printed` and `soonest-release`.
    pub fn parse(text: &str) -> Sliced {
        let mut parts = text.split(';').map(str::trim);
        let words: Vec<&str> = parts.next().unwrap().split_whitespace().collect();
        let share = |word: &str| word.parse::<f64>().unwrap() / 100.0;
        let mut rules = Rules {
            nodes: words[0].parse().unwrap(),
            shares: [share(words[1]), share(words[2]), share(words[3])],
            interval: 100,
            adaptive: false,
            easy: false,
            non_type: true,
            short_below: 30,
            long_above: 50,
            place: Place::FirstFree,
            capacity: 400,
            transfer: 10,
            last_displaced: false,
        };
        for word in &words[4..] {
            set(&mut rules, word);
        }
        Sliced { rules, jobs: parts.map(parse_job).collect() }
    }

    /// Runs it slowly.
    pub fn run(&self) -> Outcome {
        self.try_run().expect("it ends")
    }

    /// The same; `None` if it never ends.
    pub fn try_run(&self) -> Option<Outcome> {
        run(&self.rules, &self.jobs, HORIZON)
    }

    /// The log, one event a line, and then what became of every job.
    fn draw(&self, outcome: &Outcome) -> String {
        let mut text = String::new();
        for event in &outcome.log {
            writeln!(text, "{}", draw_event(event)).unwrap();
        }
        for (line, job) in outcome.lines.iter().zip(&self.jobs) {
            writeln!(text, "{}", draw_line(line, self.rules.class(job.run))).unwrap();
        }
        text
    }

    /// Whether the library and the twin agree on everything; if not, on what they do not.
    pub fn compare(&self) -> Result<(), String> {
        let Some(expected) = self.try_run() else { return Ok(()) };
        let found = self.simulate();
        let mut log = expected.log;
        for event in &mut log {
            if event.what == What::Run {
                event.seconds = 0;
            }
        }
        if let Some(at) = (0..log.len().max(found.log.len())).find(|at| log.get(*at) != found.log.get(*at)) {
            let (ours, theirs) = (found.log.get(at), log.get(at));
            return Err(format!("event {at} differs: {ours:?} of the library, {theirs:?} of the twin"));
        }
        let lines = found.lines.into_iter().map(|(_, line)| line);
        for (ours, theirs) in lines.zip(expected.lines) {
            if ours != theirs {
                return Err(format!("{ours:?} of the library, {theirs:?} of the twin"));
            }
        }
        Ok(())
    }
}

fn set(rules: &mut Rules, word: &str) {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match (name, &mut rules.place) {
        ("easy", _) => rules.easy = true,
        ("adaptive", _) => rules.adaptive = true,
        ("own-only", _) => rules.non_type = false,
        ("last-displaced", _) => rules.last_displaced = true,
        ("intelligent", place) => *place = Place::Intelligent,
        ("free-transfer", _) => rules.transfer = 0,
        ("fit", place) => {
            let (first, second) = value.split_once(',').unwrap();
            let (first, second) = (parse_fit(first), parse_fit(second));
            *place = Place::MemoryAware { first, second, unfit_as_printed: false, soonest_release: false };
        }
        ("unfit-as-printed", Place::MemoryAware { unfit_as_printed, .. }) => *unfit_as_printed = true,
        ("soonest-release", Place::MemoryAware { soonest_release, .. }) => *soonest_release = true,
        _ => panic!("no such option here: {word}"),
    }
}

fn parse_fit(text: &str) -> Fit {
    match text {
        "best" => Fit::Best,
        "worst" => Fit::Worst,
        "first" => Fit::First,
        _ => panic!("no such fit: {text}"),
    }
}

fn parse_job(text: &str) -> Work {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, submit, shape] = words[..] else { panic!("not NAME SUBMIT WIDTHxRUN/MEMORY: {text}") };
    let (width, rest) = shape.split_once('x').unwrap();
    let (run, memory) = rest.split_once('/').unwrap();
    Work {
        id: u64::from(name.chars().next().unwrap()),
        submit: submit.parse().unwrap(),
        width: width.parse().unwrap(),
        run: run.parse().unwrap(),
        memory: memory.parse().unwrap(),
    }
}

/// Runs the scene slowly and compares what happened, in the order of time and then of the jobs; the library must agree.
pub fn check(text: &str, expected: Expect) {
    let scene = Sliced::parse(text);
    expected.assert_eq(&scene.draw(&scene.run()));
    scene.compare().unwrap();
}

fn name(id: u64) -> char {
    char::from_u32(id as u32).unwrap()
}

fn draw_event(event: &Event) -> String {
    let Event { at, seconds, .. } = event;
    let what = match event.what {
        What::Finish => "ends".to_string(),
        What::Preempt => "is preempted".to_string(),
        What::Load => format!("loads {seconds} on {}", draw_nodes(&event.nodes)),
        What::Run => format!("runs {seconds} on {}", draw_nodes(&event.nodes)),
        What::SwapOut => format!("is swapped out, {seconds}"),
    };
    format!("{at:5} {} {what}", name(event.job))
}

fn draw_nodes(nodes: &[usize]) -> String {
    let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
    nodes.join(" ")
}

fn draw_line(line: &Line, class: Class) -> String {
    let Line { id, start, end, load, swap, .. } = line;
    let class = match class {
        Class::Long => "long",
        Class::Medium => "medium",
        Class::Short => "short",
    };
    format!("{} {class} {start}-{end} load {load} swap {swap}", name(*id))
}
