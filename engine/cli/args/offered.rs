//! Values that a shell completes, though others are taken too.

use crate::experiments;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;
use workload::model::{o2k::Month, twin};
use workload::swf::archive::KNOWN_LOGS;

/// A parser that offers values and refuses none for not being one of them.
#[derive(Clone, Copy, Debug)]
pub struct Offered<T> {
    parse: fn(&str) -> Result<T, String>,
    values: fn() -> Vec<String>,
}

/// A parser of values by `parse`; a shell completes those of `values`.
pub fn offered<T>(parse: fn(&str) -> Result<T, String>, values: fn() -> Vec<String>) -> Offered<T> {
    Offered { parse, values }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offered<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter().map(PossibleValue::new)))
    }
}

/// A word whose meaning is found out later, where more is known of it.
pub fn word(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

/// A value that knows how it is written.
pub fn parsed<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|problem: T::Err| problem.to_string())
}

/// The studies that come with the program.
pub fn studies() -> Vec<String> {
    experiments::studies().into_iter().map(str::to_owned).collect()
}

/// The scales that any experiment knows.
pub fn scales() -> Vec<String> {
    sweep::SCALES.iter().map(|scale| (*scale).to_owned()).collect()
}

/// The policies with short names.
pub fn policies() -> Vec<String> {
    super::parse::POLICIES.iter().map(|name| (*name).to_owned()).collect()
}

/// The allocators that are complete without numbers.
pub fn allocators() -> Vec<String> {
    vec!["first-free".to_owned()]
}

/// The workload models.
pub fn models() -> Vec<String> {
    let twins = twin::known().map(|log| format!("twin:{log}"));
    super::parse::MODELS.iter().map(|(name, _)| (*name).to_owned()).chain(twins).collect()
}

/// The months of the O2K model.
pub fn months() -> Vec<String> {
    Month::ALL.iter().map(Month::to_string).collect()
}

/// The published logs.
pub fn logs() -> Vec<String> {
    KNOWN_LOGS.iter().map(|log| log.name.to_owned()).collect()
}

/// The words that `schema` explains: fields and parts.
pub fn words() -> Vec<String> {
    let fields = sweep::FIELDS.iter().map(|field| field.name);
    let parts = sweep::language::PARTS.iter().map(|part| part.name);
    let mut words: Vec<String> = fields.chain(parts).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::parse;
    use super::*;

    #[test]
    fn what_is_offered_is_taken() {
        assert!(policies().iter().all(|text| parse::policy(text).is_ok()));
        assert!(allocators().iter().all(|text| parse::allocator(text).is_ok()));
        assert!(models().iter().all(|text| parse::model(text).is_ok()));
        assert!(months().iter().all(|text| parsed::<Month>(text).is_ok()));
        assert!(studies().contains(&"pascual".to_owned()) && logs().iter().all(|name| !name.is_empty()));
        assert!(words().windows(2).all(|pair| pair[0] < pair[1]) && words().contains(&"load".to_owned()));
    }

    #[test]
    fn other_values_are_parsed_as_well() {
        let command = Command::new("backsweep");
        let parser = offered(parse::policy, policies);
        assert!(parser.parse_ref(&command, None, OsStr::new("Easy(overrun: Extend)")).is_ok());
        let refused = parser.parse_ref(&command, None, OsStr::new("esay")).unwrap_err();
        assert!(refused.to_string().contains("known: fcfs"), "{refused}");
    }
}
