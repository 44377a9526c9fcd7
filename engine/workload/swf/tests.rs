//! The parser against a slow and obvious twin, its error places, and round trips through the writer.

#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;
use crate::spec::Rules;
use proptest::prelude::*;
use sim::{Job, Span, Time};

const GOOD: &str = "1 0 5 10 2 9.53 -1 2 20 -1 1 1 1 1 1 1 -1 -1";

/// One record by `split_whitespace` and decimal text, in millionths.
fn slow_twin(line: &str) -> Option<[i64; FIELDS]> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let value = |(index, field): (usize, &&str)| match is_time(index) {
        true => rounded(field, 6),
        false => rounded(field, 0).map(|units| units * 1_000_000),
    };
    let values: Vec<i64> = fields.iter().enumerate().map(value).collect::<Option<_>>()?;
    values.try_into().ok()
}

/// A decimal number in units of 10⁻ᵈⁱᵍⁱᵗˢ, halves away from zero; the first digit below the unit decides.
fn rounded(field: &str, digits: usize) -> Option<i64> {
    let (negative, number) = field.strip_prefix('-').map_or((false, field), |rest| (true, rest));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if !number.chars().all(|c| c.is_ascii_digit() || c == '.') || whole.len() + fraction.len() == 0 {
        return None;
    }
    let padded = format!("{fraction:0<7}");
    let value: i128 = format!("0{whole}{}", padded.get(..digits)?).parse().ok()?;
    let value = value + i128::from(padded.as_bytes()[digits] >= b'5');
    let value = i64::try_from(value).ok()?;
    let limit = sim::time::MAX_SECONDS * 10i64.pow(digits as u32);
    (value <= limit).then_some(if negative { -value } else { value })
}

/// A parsed record in millionths.
fn flat(r: &Record) -> [i64; FIELDS] {
    let m = 1_000_000;
    let head =
        [r.job * m, r.submit.0, r.wait.0, r.run_time.0, r.allocated * m, r.cpu_time.0, r.used_memory_kb * m];
    let middle = [r.requested * m, r.requested_time.0, r.requested_memory_kb * m, r.status * m, r.user * m];
    let tail =
        [r.group * m, r.executable * m, r.queue * m, r.partition * m, r.preceding_job * m, r.think_time.0];
    let all = [&head[..], &middle, &tail].concat();
    all.try_into().unwrap()
}

fn is_time(index: usize) -> bool {
    [1, 2, 3, 5, 8, 17].contains(&index)
}

fn fault(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

fn with_field(number: usize, text: &str) -> String {
    let mut fields: Vec<&str> = GOOD.split(' ').collect();
    fields[number - 1] = text;
    fields.join(" ")
}

#[test]
fn fields_land_where_the_format_says() {
    let line = "1 2 3 4 5 6.25 7 8 9 10 11 12 13 14 15 16 17 18";
    let log = parse(format!("; Version: 2.2\n;MaxProcs: 64\n\n {line}\r\n\t{line}").as_bytes()).unwrap();
    assert_eq!((log.header.get("version"), log.header.max_procs()), (Some("2.2"), Some(64)));
    assert_eq!(log.records[0], log.records[1]);
    let expected: Vec<i64> = (1..=18).map(|n| n * 1_000_000 + if n == 6 { 250_000 } else { 0 }).collect();
    assert_eq!(flat(&log.records[0]).to_vec(), expected);
}

#[test]
fn decimals_are_exact() {
    let run = |text: &str| parse(with_field(4, text).as_bytes()).unwrap().records[0].run_time.0;
    let cases = [("0.1", 100_000), ("1.0000005", 1_000_001), ("1.00000049", 1_000_000), ("-1.5", -1_500_000)];
    let odd =
        [("5.", 5_000_000), (".5", 500_000), ("007", 7_000_000), ("00000000000000000000012", 12_000_000)];
    for (text, ticks) in cases.into_iter().chain(odd) {
        assert_eq!(run(text), ticks, "{text}");
    }
    assert_eq!(run("1000000000000"), sim::time::MAX_SECONDS * 1_000_000);
    let size = |text: &str| parse(with_field(8, text).as_bytes()).unwrap().records[0].requested;
    assert_eq!((size("3.5"), size("3.49"), size("-0.5")), (4, 3, -1));
}

#[test]
fn faults_name_place_text_and_expectation() {
    let short = GOOD.rsplit_once(' ').unwrap().0;
    assert_eq!(
        fault(&format!("; c\n{GOOD}\n{short}\n")),
        format!("line 3, column 42: 17 fields, expected 18: `{short}`")
    );
    assert_eq!(
        fault(&format!("{GOOD}  7 8")),
        format!("line 1, column 47: 20 fields, expected 18: `{GOOD}  7 8`")
    );
    for text in ["NaN", "abc", "1e5", "+3", "-", ".", "1.2.3", "--1", "inf", "0x10", "1,5"] {
        let expected = format!("line 1, column 7: `{text}`: expected a number");
        assert_eq!(fault(&with_field(4, text)), expected);
    }
    for text in ["1000000000000000000", "-1000000000001", "1000000000000.5", "99999999999999999999999"] {
        let expected = "expected a number between -1000000000000 and 1000000000000";
        assert_eq!(fault(&with_field(4, text)), format!("line 1, column 7: `{text}`: {expected}"));
    }
    let error = parse(with_field(9, "x").as_bytes()).unwrap_err();
    assert!(matches!(error, SwfError::BadField { field: 9, .. }));
    assert_eq!(error.place(), Some((1, 22)));
}

#[test]
fn foreign_files_give_one_short_printable_message() {
    let message = fault(&format!("\u{1b}[31m{}\n", "x".repeat(500)));
    assert!(message.len() < 300 && !message.contains('\u{1b}'), "{message}");
    assert!(matches!(parse(b"\xff\xfe\x00\n"), Err(SwfError::BadField { .. })));
    assert_eq!(parse(b"").unwrap_err(), SwfError::Empty { comments: 0 });
    assert_eq!(parse(b";a\n\n ; b\n").unwrap_err(), SwfError::Empty { comments: 2 });
    let endless = scan(std::io::repeat(b' '), |_| ()).unwrap_err();
    assert!(matches!(endless, ScanError::Swf(SwfError::LongLine { line: 1, .. })), "{endless}");
}

/// Hands out at most `step` bytes per call, so that lines are torn at every place.
struct Dripping<'a> {
    rest: &'a [u8],
    step: usize,
}

impl std::io::Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.step.min(buffer.len()).min(self.rest.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest = &self.rest[n..];
        Ok(n)
    }
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (-1i64..2_000_000).prop_map(|v| v.to_string()),
        1 => "-?[0-9]{1,13}",
        1 => "-?[0-9]{0,12}\\.[0-9]{0,9}",
        1 => "-?[0-9]{14,30}",
    ]
}

fn span(ticks: std::ops::Range<i64>) -> impl Strategy<Value = Span> {
    prop_oneof![ticks.clone().prop_map(Span), ticks.prop_map(|t| Span((t / 1_000_000 + 1) * 1_000_000))]
}

fn logged_job() -> impl Strategy<Value = LoggedJob> {
    let what = (0u64..1 << 39, 1u32..10_000, 0u64..1 << 35, any::<bool>());
    let when = (span(0..1 << 50), span(1..1 << 45), span(1..1 << 45), prop::option::of(span(0..1 << 45)));
    (what, when).prop_map(|((id, size, memory_kb, killed), (submit, run_time, slack, wait))| {
        let submit = Time::ZERO + submit;
        let start = wait.map(|wait| submit + wait);
        let finish = start.map(|start| start + run_time);
        let (estimate, peak_memory_kb) = (run_time + slack, memory_kb / 2);
        LoggedJob { id, submit, start, finish, size, estimate, run_time, memory_kb, peak_memory_kb, killed }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_parser_agrees_with_its_slow_twin(
        fields in prop::collection::vec(field(), 15..20),
        blank in prop::sample::select(vec![" ", "  ", "\t", " \t "]),
    ) {
        let line = fields.join(blank);
        let fast = parse(line.as_bytes()).ok().map(|log| flat(&log.records[0]));
        prop_assert_eq!(fast, slow_twin(&line), "{}", line);
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), digits: bool) {
        let alphabet = b"0123456789 .-;\n\r\t";
        let near: Vec<u8> = bytes.iter().map(|&b| alphabet[usize::from(b) % alphabet.len()]).collect();
        let text = if digits { &near } else { &bytes };
        if let Err(error) = parse(text) {
            let lines = text.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            prop_assert!(error.place().is_none_or(|(line, column)| line <= lines && column <= text.len() + 1));
            prop_assert!(error.to_string().chars().all(|c| !c.is_control()));
        }
    }

    #[test]
    fn chunks_do_not_matter(
        rows in prop::collection::vec(prop::collection::vec(0i64..100_000, FIELDS), 1..20),
        step in 1usize..200,
        crlf: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
        let text = format!("; Note: x{end}{}", lines.join(end));
        let mut records = Vec::new();
        let header = scan(Dripping { rest: text.as_bytes(), step }, |record| records.push(*record)).unwrap();
        prop_assert_eq!(parse(text.as_bytes()).unwrap(), Log { header, records });
    }

    #[test]
    fn cleaning_leaves_only_what_can_run(
        rows in prop::collection::vec(prop::collection::vec(-2i64..200, FIELDS), 1..40),
        nodes in 1u32..150,
    ) {
        let lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
        let log = parse(lines.join("\n").as_bytes()).unwrap();
        let (jobs, report) = clean(&log, &Rules::default(), nodes);
        prop_assert_eq!(report.total, rows.len() as u64);
        prop_assert_eq!(report.kept + report.dropped(), report.total);
        prop_assert_eq!(report.kept, jobs.len() as u64);
        prop_assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
        for job in jobs {
            prop_assert!(job.size >= 1 && job.size <= nodes);
            prop_assert!(job.run_time > Span::ZERO && job.estimate >= job.run_time && job.submit >= Time::ZERO);
        }
    }

    #[test]
    fn what_is_written_reads_back(jobs in prop::collection::vec(logged_job(), 1..30)) {
        let mut text = Vec::new();
        write(&mut text, &[("Version", "2.2")], jobs.iter().copied()).unwrap();
        let log = parse(&text).unwrap();
        prop_assert_eq!(log.header.get("Version"), Some("2.2"));
        for (record, job) in log.records.iter().zip(&jobs) {
            prop_assert_eq!(record.wait, job.start.map_or(Span::from_secs(-1), |start| start - job.submit));
            let status = if job.start.is_none() { -1 } else if job.killed { 5 } else { 1 };
            prop_assert_eq!(record.status, status);
        }
        let (mut read, report) = clean(&log, &Rules::default(), 10_000);
        prop_assert_eq!(report.dropped(), 0);
        let mut written: Vec<Job> = jobs
            .iter()
            .map(|job| Job {
                id: job.id,
                submit: job.submit,
                run_time: job.run_time,
                estimate: job.estimate,
                size: job.size,
                memory_kb: job.memory_kb,
                peak_memory_kb: job.peak_memory_kb,
                ..Job::default()
            })
            .collect();
        written.sort_by_key(|job| job.submit);
        read.sort_by_key(|job| job.submit);
        prop_assert_eq!(read, written);
    }
}
