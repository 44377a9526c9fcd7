//! Documents with places that are filled in.

/// The template with its parts in place; what looks like a place in a part is not one.
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((at, name, text)) = parts
        .iter()
        .filter_map(|(name, text)| Some((rest.find(name)?, *name, text)))
        .min_by_key(|(at, _, _)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + name.len()..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn a_part_that_looks_like_a_place_is_none() {
        let parts = [("{{a}}", "<{{b}}>".to_owned()), ("{{b}}", "two".to_owned())];
        assert_eq!(filled("{{b}} {{a}} {{a}}.", &parts), "two <{{b}}> <{{b}}>.");
    }
}
