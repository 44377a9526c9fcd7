//! Values of options: short names first, the experiment language where more is needed.

use clap::builder::PossibleValuesParser;
use serde::de::DeserializeOwned;
use sim::{AllocatorSpec, PolicySpec};
use workload::model::o2k::{Month, Parameters};
use workload::{MissingEstimate, Source, Variant};

/// The machine's shape and the allocator that needs it, or an allocator for any machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatorChoice {
    /// The allocator.
    pub allocator: AllocatorSpec,
    /// Arity and levels of the tree, where they were given.
    pub tree: Option<(u32, u32)>,
}

/// Policies with short names.
pub const POLICIES: &[&str] = &["fcfs", "easy", "conservative", "co-allocation"];

/// Makes a model's source with its defaults.
type Model = fn() -> Source;

/// Workload models by their names, beside the twins of logs.
pub const MODELS: &[(&str, Model)] = &[
    ("lublin-feitelson", || Source::LublinFeitelson { variant: Variant::default(), medium_offset: 2.5 }),
    ("o2k", || Parameters::of(Month::Feb2000).source()),
    ("poisson", || workload::model::poisson::Parameters::default().source()),
];

/// A number above zero.
pub fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 is needed".to_owned()),
        Ok(number) => Ok(number),
        Err(problem) => Err(format!("{problem}")),
    }
}

/// One of several parts of a sweep.
pub fn shard(text: &str) -> Result<sweep::Shard, String> {
    text.parse()
}

/// `AXIS=VALUES`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, values)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), values.trim().to_owned()))
        }
        _ => Err("expected AXIS=VALUE or AXIS=VALUE,VALUE".to_owned()),
    }
}

/// A policy: a short name or as experiments write it.
pub fn policy(text: &str) -> Result<PolicySpec, String> {
    match text {
        "fcfs" => Ok(PolicySpec::Fcfs),
        "easy" => Ok(PolicySpec::Easy {
            overrun: sim::policy::Overrun::default(),
            shadow: sim::policy::Shadow::Placement,
        }),
        "conservative" => Ok(PolicySpec::Conservative { early_end: sim::policy::EarlyEnd::default() }),
        "co-allocation" => Ok(PolicySpec::CoAllocation {
            sharing: Default::default(),
            queue: Default::default(),
            pick: Default::default(),
            home_first: true,
            split: Default::default(),
        }),
        _ => ron::from_str(text).map_err(|problem| {
            let written = sweep::fingerprint::variants_of("PolicySpec").join(", ");
            format!("known: {}; as in an experiment file: {written}{}", POLICIES.join(", "), detail(&problem))
        }),
    }
}

/// An allocator: `first-free`, `contiguous:K,N`, or as experiments write it.
pub fn allocator(text: &str) -> Result<AllocatorChoice, String> {
    let flat = |allocator| Ok(AllocatorChoice { allocator, tree: None });
    if text == "first-free" {
        return flat(AllocatorSpec::FirstFree);
    }
    if let Some(numbers) = text.strip_prefix("contiguous:") {
        let numbers: Vec<Option<u32>> = numbers.split(',').map(|number| number.trim().parse().ok()).collect();
        return match numbers[..] {
            [Some(arity), Some(levels)] => Ok(contiguous(arity, levels, 0)),
            [Some(arity), Some(levels), Some(relax)] => Ok(contiguous(arity, levels, relax)),
            _ => Err("expected contiguous:K,N (a K-ary N-tree), for instance contiguous:4,4".to_owned()),
        };
    }
    match ron::from_str(text) {
        Ok(allocator) => flat(allocator),
        Err(problem) => {
            let written = sweep::fingerprint::variants_of("AllocatorSpec").join(", ");
            let detail = detail(&problem);
            Err(format!("known: first-free, contiguous:K,N; as in an experiment file: {written}{detail}"))
        }
    }
}

/// What else is wrong with a value; nothing where its name is unknown, as the known ones are listed anyway.
fn detail(problem: &ron::error::SpannedError) -> String {
    match &problem.code {
        ron::Error::NoSuchEnumVariant { .. } => String::new(),
        code => format!(" ({code})"),
    }
}

fn contiguous(arity: u32, levels: u32, relax: u32) -> AllocatorChoice {
    AllocatorChoice { allocator: AllocatorSpec::Contiguous { relax }, tree: Some((arity, levels)) }
}

/// A workload model: `lublin-feitelson`, `o2k`, `poisson`, or `twin:` and the name of a log.
pub fn model(text: &str) -> Result<Source, String> {
    if let Some((_, source)) = MODELS.iter().find(|(name, _)| *name == text) {
        return Ok(source());
    }
    let twins: Vec<&str> = workload::model::twin::known().collect();
    match text.strip_prefix("twin:") {
        Some(name) if twins.contains(&name) => {
            Ok(Source::Log { name: name.to_owned(), mode: workload::Mode::Twin })
        }
        _ => {
            let models: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
            Err(format!("known: {}, twin:{}", models.join(", "), twins.join(", twin:")))
        }
    }
}

/// `runtime`, `drop`, or `queue-limit:SECONDS`.
pub fn missing_estimate(text: &str) -> Result<MissingEstimate, String> {
    let expected = || "expected runtime, drop, or queue-limit:SECONDS".to_owned();
    match text.strip_prefix("queue-limit:") {
        Some(seconds) => seconds.parse().map(MissingEstimate::QueueLimit).map_err(|_| expected()),
        None if text == "runtime" => Ok(MissingEstimate::Runtime),
        None if text == "drop" => Ok(MissingEstimate::Drop),
        None => Err(expected()),
    }
}

/// A parser of the values of an enum of the experiment language, written in kebab-case.
pub fn one_of<T>(values: &'static [&'static str]) -> impl clap::builder::TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    use clap::builder::TypedValueParser;
    PossibleValuesParser::new(values).try_map(|text| variant(&text))
}

/// `as-logged` is `AsLogged`.
fn variant<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    let name: String = text.split('-').map(capital).collect();
    ron::from_str(&name).map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use sim::policy::Overrun;

    #[test]
    fn policies_have_short_names_and_long_forms() {
        assert_eq!(policy("fcfs").unwrap(), PolicySpec::Fcfs);
        assert_eq!(
            policy("Easy(overrun: Extend)").unwrap(),
            PolicySpec::Easy { overrun: Overrun::Extend, shadow: sim::policy::Shadow::Placement }
        );
        let problem = policy("esay").unwrap_err();
        assert!(problem.contains("known: fcfs, easy, conservative, co-allocation"), "{problem}");
    }

    #[test]
    fn an_allocator_may_bring_its_tree() {
        let choice = allocator("contiguous:4,3").unwrap();
        assert_eq!(choice.tree, Some((4, 3)));
        assert_eq!(choice.allocator, AllocatorSpec::Contiguous { relax: 0 });
        assert_eq!(allocator("contiguous:4,3,1").unwrap().allocator, AllocatorSpec::Contiguous { relax: 1 });
        assert_eq!(allocator("first-free").unwrap().tree, None);
        assert!(allocator("contiguous:4").unwrap_err().contains("contiguous:K,N"));
        assert!(allocator("best-fit").unwrap_err().contains("known: first-free"));
    }

    #[test]
    fn models_are_named() {
        assert!(matches!(model("lublin-feitelson").unwrap(), Source::LublinFeitelson { .. }));
        assert!(model("twin:NASA").unwrap_err().contains("twin:HPC2N-2002-2.2-cln"));
    }

    #[test]
    fn assignments_need_a_name() {
        assert_eq!(assignment("load = 0.5,0.7").unwrap(), ("load".to_owned(), "0.5,0.7".to_owned()));
        assert!(assignment("=0.5").is_err() && assignment("load").is_err());
    }
}
