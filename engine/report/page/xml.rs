//! Tags and texts of an XML document, as far as figures need it: no entities of their own, no sections, no processing instructions
//! but the first line.

/// A piece of a document, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// What stands between two tags, as it is written.
    Text(&'a str),
    /// The begin of an element; `true` if that is its end too.
    Open(&'a str, Vec<(&'a str, &'a str)>, bool),
    /// The end of an element.
    Close(&'a str),
}

/// The pieces of a document whose elements are closed in order.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn pieces(document: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut rest = without_declaration(document);
    let (mut pieces, mut open) = (Vec::new(), Vec::new());
    while let Some(begin) = rest.find('<') {
        if begin > 0 {
            pieces.push(Piece::Text(&rest[..begin]));
        }
        rest = &rest[begin + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").ok_or("a comment does not end")?.1;
            continue;
        }
        let end = end_of_tag(rest).ok_or("a tag does not end")?;
        let piece = tag(&rest[..end])?;
        match &piece {
            Piece::Open(name, _, false) => open.push(*name),
            Piece::Close(name) if open.pop() != Some(name) => {
                return Err(format!("</{name}> closes nothing"));
            }
            _ => {}
        }
        pieces.push(piece);
        rest = &rest[end + 1..];
    }
    match open.pop() {
        Some(name) => Err(format!("<{name}> is not closed")),
        None if !rest.trim().is_empty() => Err("there is text behind the end".to_owned()),
        None => Ok(pieces),
    }
}

fn without_declaration(document: &str) -> &str {
    let document = document.trim_start();
    match document.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
        Some((_, rest)) => rest.trim_start(),
        None => document,
    }
}

/// The `>` that is in no quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn tag(text: &str) -> Result<Piece<'_>, String> {
    let known = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic());
    if let Some(name) = text.strip_prefix('/') {
        return Ok(Piece::Close(name.trim_end()));
    }
    let (text, empty) = match text.strip_suffix('/') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    let (name, mut rest) = (&text[..end], text[end..].trim_start());
    if !known(name) {
        return Err(format!("<{name}> is no element"));
    }
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (attribute, value) =
            rest.split_once('=').ok_or(format!("an attribute of <{name}> has no value"))?;
        let quote = value.chars().next().filter(|c| "\"'".contains(*c)).ok_or("a value has no quotes")?;
        let (value, after) = value[1..].split_once(quote).ok_or("a value does not end")?;
        attributes.push((attribute.trim_end(), value));
        rest = after.trim_start();
    }
    Ok(Piece::Open(name, attributes, empty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_fall_into_pieces() {
        let text = "<?xml version=\"1.0\"?>\n<a b=\"1 > 0\" c='\"'><!-- <d> -->e &lt;<f/></a >\n";
        let expected = vec![
            Piece::Open("a", vec![("b", "1 > 0"), ("c", "\"")], false),
            Piece::Text("e &lt;"),
            Piece::Open("f", vec![], true),
            Piece::Close("a"),
        ];
        assert_eq!(pieces(text), Ok(expected));
    }

    #[test]
    fn what_is_ill_formed_is_refused() {
        let cases = [
            "<a>",
            "<a></b>",
            "<a><b></a></b>",
            "</a>",
            "<a b></a>",
            "<a b=c/>",
            "<a b='c/>",
            "<1/>",
            "<a/>b",
        ];
        for case in cases {
            assert!(pieces(case).is_err(), "{case}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "[<>/a-c'\"= !?é-]{0,40}") {
            let _ = pieces(&text);
        }
    }
}
