//! A form of a Rust source that keeps what can influence a result and drops what cannot: comments, documentation, white
//! space, trailing commas and test code. Used by the build script; compiled into the library for its tests only.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// What one source file amounts to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Its tokens, one per line.
    pub text: String,
    /// Every identifier in it, to find which other modules it may use.
    pub identifiers: BTreeSet<String>,
    /// Modules in files of their own that exist in tests only.
    pub test_modules: Vec<TestModule>,
}

/// Where the file of a test module is.
#[derive(Debug, PartialEq, Eq)]
pub enum TestModule {
    /// `#[cfg(test)] mod name;`: in the usual place for the name.
    Named(String),
    /// `#[cfg(test)] #[path = "file.rs"] mod name;`: that file, beside this one.
    At(String),
}

/// Reads a source. A text that is no Rust counts byte for byte.
pub fn digest(source: &str) -> Digest {
    match source.parse::<TokenStream>() {
        Ok(tokens) => digest_tokens(tokens),
        Err(_) => Digest { text: source.to_owned(), ..Digest::default() },
    }
}

/// Reads a source, or a part of one, that has been parsed.
pub fn digest_tokens(tokens: TokenStream) -> Digest {
    let mut found = Digest::default();
    write_tokens(tokens.into_iter().collect(), &mut found);
    found
}

fn write_tokens(tokens: Vec<TokenTree>, found: &mut Digest) {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let skipped = match attribute(&tokens, at) {
            Some((end, Attribute::Doc)) => Some(end),
            Some((end, Attribute::CfgTest)) => item_end(&tokens, end, found),
            _ => None,
        };
        if let Some(end) = skipped {
            at = end;
            continue;
        }
        write_token(token, found);
        at += 1;
    }
}

fn write_token(token: &TokenTree, found: &mut Digest) {
    match token {
        TokenTree::Ident(name) => {
            let name = name.to_string();
            found.text.push_str(&name);
            found.identifiers.insert(name);
        }
        TokenTree::Literal(literal) => found.text.push_str(&literal.to_string()),
        TokenTree::Punct(mark) => {
            found.text.push(mark.as_char());
            if mark.spacing() == Spacing::Joint {
                found.text.push('+');
            }
        }
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            };
            found.text.push_str(open);
            found.text.push('\n');
            let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
            drop_trailing_comma(&mut inner, group.delimiter());
            write_tokens(inner, found);
            found.text.push_str(close);
        }
    }
    found.text.push('\n');
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == mark)
}

/// A trailing comma is formatting, except in a tuple of one element.
fn drop_trailing_comma(tokens: &mut Vec<TokenTree>, delimiter: Delimiter) {
    let commas = tokens.iter().filter(|token| is_mark(token, ',')).count();
    if tokens.last().is_some_and(|token| is_mark(token, ','))
        && (delimiter != Delimiter::Parenthesis || commas > 1)
    {
        tokens.pop();
    }
}

enum Attribute {
    Doc,
    CfgTest,
    Path(String),
    Other,
}

/// The attribute at `at` and the position after it.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(usize, Attribute)> {
    if !is_mark(tokens.get(at)?, '#') {
        return None;
    }
    let inner = is_mark(tokens.get(at + 1)?, '!');
    let body = at + 1 + usize::from(inner);
    let TokenTree::Group(group) = tokens.get(body)? else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let parts: Vec<String> =
        group.stream().into_iter().map(|token| token.to_string().replace(' ', "")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let kind = match parts[..] {
        ["doc", ..] => Attribute::Doc,
        ["cfg", "(test)"] if !inner => Attribute::CfgTest,
        ["path", "=", file] => Attribute::Path(file.trim_matches('"').to_owned()),
        _ => Attribute::Other,
    };
    Some((body + 1, kind))
}

/// The position after the item that starts at `at`; nothing where its end cannot be told for sure.
fn item_end(tokens: &[TokenTree], mut at: usize, found: &mut Digest) -> Option<usize> {
    let mut file = None;
    while let Some((end, attribute)) = attribute(tokens, at) {
        if let Attribute::Path(path) = attribute {
            file = Some(path);
        }
        at = end;
    }
    let ends = |token: &TokenTree, brace: bool| match token {
        TokenTree::Group(group) => brace && group.delimiter() == Delimiter::Brace,
        token => is_mark(token, ';'),
    };
    let mut head = tokens.get(at..)?.iter();
    let keyword = head.find_map(|token| match token {
        TokenTree::Ident(name) if *name != "pub" && *name != "unsafe" && *name != "async" => {
            Some(name.to_string())
        }
        _ => None,
    })?;
    let name = head.next();
    let brace = match keyword.as_str() {
        "mod" | "fn" | "impl" | "struct" | "enum" | "trait" => true,
        "use" | "static" | "type" => false,
        "const" => matches!(name, Some(TokenTree::Ident(name)) if *name == "fn"),
        _ => return None,
    };
    let length = tokens[at..].iter().position(|token| ends(token, brace))?;
    if keyword == "mod" && is_mark(&tokens[at + length], ';') {
        let named = || name.map(|name| TestModule::Named(name.to_string()));
        found.test_modules.extend(file.map(TestModule::At).or_else(named));
    }
    Some(at + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "pub fn wait(a: i64, b: i64) -> i64 { let r = f(a, b); r + 1 }";

    #[test]
    fn comments_documentation_and_formatting_do_not_count() {
        let other = "//! A room.\n\n/// Waits.\n#[doc(alias = \"x\")]\npub fn wait(\n    a: i64, // first\n    b: i64,\n) -> i64 {\n\
                     /* why */ let r = f(a, b,);\n    r + 1\n}\n";
        assert_eq!(digest(PLAIN).text, digest(other).text);
    }

    #[test]
    fn code_counts() {
        for other in
            [PLAIN.replace("+ 1", "+ 2"), PLAIN.replace("+ 1", "- 1"), PLAIN.replace("r + 1", "1 + r")]
        {
            assert_ne!(digest(PLAIN).text, digest(&other).text);
        }
        assert_ne!(digest("type T = (u8,);").text, digest("type T = (u8);").text);
        assert_ne!(digest("#[inline] fn a() {}").text, digest("fn a() {}").text);
    }

    #[test]
    fn test_code_does_not_count() {
        let tail = "#[cfg(test)]\nmod tests { use super::*; #[test] fn t() {} }\n#[cfg(test)] use std::fmt::{self};\n\
                    #[cfg(test)] #[allow(dead_code)] pub(crate) fn twin<T>(t: T) -> [u8; 2] { [1, 2] }\n\
                    #[cfg(test)] const X: S = S { a: 1 };\n#[cfg(test)] mod twin;\n\
                    #[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod tests;";
        let with = digest(&format!("{PLAIN}\n{tail}"));
        assert_eq!(with.text, digest(PLAIN).text);
        assert_eq!(
            with.test_modules,
            [TestModule::Named("twin".into()), TestModule::At("x_tests.rs".into())]
        );
        assert_ne!(digest("#[cfg(not(test))] fn a() {}").text, digest("").text);
        assert_ne!(digest("enum E { #[cfg(test)] A, B }").text, digest("enum E { B }").text);
    }

    #[test]
    fn identifiers_are_found_and_nonsense_counts_as_text() {
        assert!(digest("fn a() { super::easy::plan() }").identifiers.contains("easy"));
        assert!(!digest("#[cfg(test)] mod tests { use super::easy; }").identifiers.contains("easy"));
        assert_eq!(digest("fn (").text, "fn (");
    }
}
