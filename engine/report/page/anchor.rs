//! Names of places on the page. Different things have different names, whatever they are called.

use std::fmt::Write;

/// The name of a thing: its kind, then what it is called. Letters, digits and hyphens stand for themselves, parts are separated by
/// points, anything else is its code point between underscores.
pub(super) fn anchor(parts: &[&str]) -> String {
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push('.');
        }
        for c in part.chars() {
            if c.is_ascii_alphanumeric() || c == '-' {
                out.push(c);
            } else {
                // A text grows for ever.
                let _ = write!(out, "_{:x}_", u32::from(c));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::anchor;
    use proptest::prelude::*;

    #[test]
    fn names_are_readable() {
        assert_eq!(anchor(&["claim", "smoke", "S1"]), "claim.smoke.S1");
        assert_eq!(anchor(&["table", "a.b", "c d"]), "table.a_2e_b.c_20_d");
    }

    proptest! {
        #[test]
        fn different_things_have_different_names(a: Vec<String>, b: Vec<String>) {
            let name = |parts: &[String]| anchor(&parts.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assume!(!a.is_empty() && !b.is_empty());
            prop_assert_eq!(a == b, name(&a) == name(&b));
            prop_assert!(name(&a).chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c)));
        }
    }
}
