//! The batch scripts of the array and of the merge job.
//!
//! Slurm sends USR1 to the shell of the script only (`B:`), which passes it on and waits. SIGTERM, at the time limit or on
//! `scancel`, reaches the whole job, so the shell only waits for the program to put away what it has.

use super::shell::directive;
use super::{WallTime, quote};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A sweep as batch jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchJob {
    /// The name of the jobs.
    pub name: String,
    /// The program that is called.
    pub program: PathBuf,
    /// Its words: the verb, what to run, and where store and results are, with absolute paths.
    pub words: Vec<String>,
    /// Further words for the elements only.
    pub element_words: Vec<String>,
    /// The folder in which it is called, as relative paths within experiments start there.
    pub folder: PathBuf,
    /// The store, for the comment.
    pub store: PathBuf,
    /// The results, for the comment.
    pub out: PathBuf,
    /// Simulations at a time, where it is not the number of cores that Slurm gives.
    pub jobs: Option<usize>,
    /// Elements over all arrays.
    pub elements: u32,
    /// Time limit of each job.
    pub time: Option<WallTime>,
    /// Cores of each job.
    pub cpus_per_task: Option<u32>,
    /// Further options by name, such as `--partition`.
    pub options: Vec<(&'static str, String)>,
    /// Further lines for `sbatch`, as they are.
    pub more: Vec<String>,
    /// An existing folder for what the jobs print; else it goes where Slurm puts it.
    pub logs: Option<PathBuf>,
}

impl BatchJob {
    /// The script of the array; its first argument is what is added to an index to get the number of the element, 0 without.
    pub fn array_script(&self) -> String {
        let mut text = self.head(
            "One element of a job array: it carries out its share of the sweep, then what others have left.",
            "%A_%a",
        );
        text += &directive("--array", &format!("1-{}", self.elements));
        text += "\nelement=$((${1:-0} + SLURM_ARRAY_TASK_ID))\n";
        let more: String = self.element_words.iter().map(|word| quote(word) + " ").collect();
        text += &self.call(&format!("--shard \"$element/{}\" {more}", self.elements));
        text
    }

    /// The script of the merge job.
    pub fn merge_script(&self) -> String {
        let what =
            "Runs after the array, whatever became of it: carries out what is left and writes the tables.";
        self.head(what, "merge-%j") + "\n" + &self.call("")
    }

    /// The command of the merge job, as one would type it.
    pub fn command(&self) -> String {
        let words = std::iter::once(shown(&self.program)).chain(self.words.iter().cloned());
        words.map(|word| quote(&word)).collect::<Vec<_>>().join(" ")
    }

    /// Comments and lines for `sbatch`.
    fn head(&self, what: &str, log: &str) -> String {
        let mut text = format!(
            "#!/bin/bash\n# {what}\n# Done runs are in the store, so an element may be killed, cancelled or requeued at any time.\n\
             # Every node must see these folders under these names, on a shared file system:\n\
             #   store    {}\n#   results  {}\n#   program  {}\n",
            self.store.display(),
            self.out.display(),
            self.program.display()
        );
        text += &directive("--job-name", &self.name);
        if let Some(limit) = self.time {
            text += &directive("--time", &limit.to_string());
        }
        if let Some(cores) = self.cpus_per_task {
            text += &directive("--cpus-per-task", &cores.to_string());
        }
        for (option, value) in &self.options {
            text += &directive(option, value);
        }
        if let Some(logs) = &self.logs {
            // A percent sign would be replaced by Slurm.
            let folder = shown(logs).replace('%', "%%");
            text += &directive("--output", &format!("{folder}/{log}.log"));
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#SBATCH --signal=B:USR1@{}", WallTime::lead_s(self.time));
        text += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
        for line in &self.more {
            let _ = writeln!(text, "#SBATCH {line}");
        }
        text
    }

    /// Calls the program in the background, since a shell acts on signals only between commands or while it waits.
    fn call(&self, shard: &str) -> String {
        let folder = quote(&shown(&self.folder));
        let jobs = match self.jobs {
            Some(jobs) => jobs.to_string(),
            None => "\"${SLURM_CPUS_PER_TASK:-1}\"".to_owned(),
        };
        let guard =
            |limit: WallTime| format!(" --time-limit {}s --grace {}s", limit.guard_s(), limit.grace_s());
        let guard = self.time.map(guard).unwrap_or_default();
        let command = self.command();
        format!(
            "cd -- {folder} || exit 1\n\
             signalled=\n\
             trap 'signalled=yes; [ -z \"${{program:-}}\" ] || kill -USR1 \"$program\" 2> /dev/null' USR1\n\
             # The program gets this one itself; the shell waits for it.\n\
             trap 'signalled=yes' TERM\n\
             {command} \\\n  {shard}--jobs {jobs} --progress plain{guard} &\n\
             program=$!\n\
             wait \"$program\"\n\
             code=$?\n\
             # A signal ends the wait, not the program.\n\
             while [ \"$code\" -gt 128 ] && [ -n \"$signalled\" ]; do\n  \
               signalled=\n  \
               wait \"$program\"\n  \
               code=$?\n\
             done\n\
             exit \"$code\"\n"
        )
    }
}

/// Paths that are no text are refused before.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> BatchJob {
        BatchJob {
            name: "backsweep-quick".to_owned(),
            program: "/shared/bin/backsweep".into(),
            element_words: vec![],
            words: ["run", "/shared/my work/e.ron", "--set", "policy=Fcfs,Easy()"]
                .map(str::to_owned)
                .to_vec(),
            folder: "/shared/my work".into(),
            store: "/shared/my work/store".into(),
            out: "/shared/my work/results".into(),
            jobs: None,
            elements: 40,
            time: "08:00:00".parse().ok(),
            cpus_per_task: Some(4),
            options: vec![("--partition", "long".to_owned())],
            more: vec!["--exclude=n[1-2]".to_owned()],
            logs: Some("/shared/100% sure".into()),
        }
    }

    #[test]
    fn an_element_is_told_to_end_and_waited_for() {
        let script = job().array_script();
        for line in [
            "#!/bin/bash",
            "#SBATCH --job-name=backsweep-quick",
            "#SBATCH --array=1-40",
            "#SBATCH --time=08:00:00",
            "#SBATCH --cpus-per-task=4",
            "#SBATCH --partition=long",
            "#SBATCH --output=\"/shared/100%% sure/%A_%a.log\"",
            "#SBATCH --signal=B:USR1@60",
            "#SBATCH --requeue",
            "#SBATCH --open-mode=append",
            "#SBATCH --exclude=n[1-2]",
            "element=$((${1:-0} + SLURM_ARRAY_TASK_ID))",
            "cd -- '/shared/my work' || exit 1",
            "/shared/bin/backsweep run '/shared/my work/e.ron' --set 'policy=Fcfs,Easy()' \\",
            "  --shard \"$element/40\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --progress plain --time-limit 28755s --grace 30s &",
        ] {
            assert!(script.lines().any(|found| found == line), "{line} is not in\n{script}");
        }
        let commands = script.lines().position(|line| !line.is_empty() && !line.starts_with('#'));
        let directives = script.lines().enumerate().filter(|(_, line)| line.starts_with("#SBATCH"));
        assert!(
            directives.map(|(at, _)| Some(at)).all(|at| at < commands),
            "Slurm reads up to the first command"
        );
    }

    #[test]
    fn the_merge_job_is_the_same_command_without_a_shard() {
        let script = job().merge_script();
        assert!(
            script.contains("'/shared/my work/e.ron'") && script.contains("--signal=B:USR1@60"),
            "{script}"
        );
        assert!(!script.contains("--shard") && !script.contains("--array"), "{script}");
        assert_eq!(
            job().command(),
            "/shared/bin/backsweep run '/shared/my work/e.ron' --set 'policy=Fcfs,Easy()'"
        );
    }

    #[test]
    fn what_is_not_asked_for_is_left_to_the_site() {
        let plain =
            BatchJob { time: None, cpus_per_task: None, options: vec![], logs: None, jobs: Some(3), ..job() };
        let script = plain.array_script();
        for option in ["--time", "--cpus-per-task", "--partition", "--output", "--time-limit"] {
            assert!(!script.contains(option), "{option} is in\n{script}");
        }
        assert!(script.contains("--jobs 3 "), "{script}");
    }

    /// Runs a script with a shell, in place of the program a shell script that notes its signals.
    #[cfg(unix)]
    fn run_with(program: &str, act: &str) -> (Option<i32>, String) {
        let Ok(folder) = tempfile::tempdir() else { panic!("no temporary folder") };
        let path = folder.path().join("the program");
        let written = std::fs::write(&path, program).is_ok();
        use std::os::unix::fs::PermissionsExt;
        let executable = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).is_ok();
        assert!(written && executable);
        let job = BatchJob { program: path, folder: folder.path().into(), words: vec![], ..job() };
        let script = folder.path().join("array.sh");
        assert!(std::fs::write(&script, job.array_script()).is_ok());
        let driver = format!("bash \"$1\" 100 & shell=$!; {act}; wait $shell; exit $?");
        let output = std::process::Command::new("bash")
            .args(["-c", &driver, "driver"])
            .arg(&script)
            .env("SLURM_ARRAY_TASK_ID", "7")
            .env_remove("SLURM_CPUS_PER_TASK")
            .current_dir(folder.path())
            .output();
        let Ok(output) = output else { panic!("no bash") };
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    #[test]
    #[cfg(unix)]
    fn the_exit_code_is_the_programs() {
        let (code, out) = run_with("#!/bin/sh\necho \"$@\"\nexit 3\n", "true");
        assert_eq!(code, Some(3));
        assert_eq!(out, "--shard 107/40 --jobs 1 --progress plain --time-limit 28755s --grace 30s\n");
        assert_eq!(run_with("#!/bin/sh\nkill -9 $$\n", "true").0, Some(137));
    }

    #[test]
    #[cfg(unix)]
    fn usr1_reaches_the_program_and_its_end_is_waited_for() {
        // The program says that it is ready before the signal is sent, and ends only after it came.
        let program = "#!/bin/bash\ntrap 'got=yes' USR1\ntouch ready\nuntil [ -n \"$got\" ]; do sleep 0.01; done\n\
                       echo got USR1\nexit 5\n";
        let act = "until [ -e ready ]; do sleep 0.01; done; kill -USR1 $shell";
        assert_eq!(run_with(program, act), (Some(5), "got USR1\n".to_owned()));
    }

    #[test]
    #[cfg(unix)]
    fn term_is_left_to_the_program() {
        let program = "#!/bin/bash\ntrap 'echo got TERM; exit 130' TERM\ntouch ready\n\
                       until [ -e go ]; do sleep 0.01; done\necho ended alone\nexit 4\n";
        let act = "until [ -e ready ]; do sleep 0.01; done; kill -TERM $shell; touch go";
        assert_eq!(run_with(program, act), (Some(4), "ended alone\n".to_owned()));
    }
}
