//! Takes a source apart: which of its tokens matter to which family. Used by the build script; compiled into the library for
//! its tests only.
//!
//! What makes it safe: the lines about a family leave the core only where no other run can reach them. An arm is a family's if
//! it matches nothing but the family's variants; that an arm of the core stands before it is kept. An enum whose order means
//! something keeps its order in the core, and so is the name of a default. `use` lines stay in the core.

use crate::family::{FAMILIES, Family};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::fold::{Fold, fold_expr_match, fold_file, fold_item_enum};
use syn::{Arm, Attribute, ExprMatch, Fields, File, Item, ItemEnum, ItemImpl, Pat, Path, Type, Variant};

/// A piece of a source that counts to one family.
#[derive(Debug)]
pub struct Part {
    /// The family's module.
    pub family: &'static str,
    /// Where in the source it stands, as far as that can matter.
    pub place: String,
    /// What stands there.
    pub tokens: TokenStream,
}

/// A registry taken apart.
#[derive(Debug)]
pub struct Split {
    /// What counts to the core.
    pub core: TokenStream,
    /// What the core must not forget about what was taken out; names no family in the sense of using it.
    pub notes: Vec<String>,
    /// What counts to families.
    pub parts: Vec<Part>,
}

/// Takes the registry at `path` (under `engine/`, without `.rs`) apart; `None` where it is no Rust.
pub fn split(path: &str, source: &str) -> Option<Split> {
    let file = syn::parse_file(source).ok()?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut splitter = Splitter { folder, matches: 0, notes: Vec::new(), parts: Vec::new() };
    let core = splitter.fold_file(file).into_token_stream();
    Some(Split { core, notes: splitter.notes, parts: splitter.parts })
}

struct Splitter<'a> {
    folder: &'a str,
    /// Matches met so far.
    matches: usize,
    notes: Vec<String>,
    parts: Vec<Part>,
}

impl Splitter<'_> {
    fn take(&mut self, family: &'static Family, place: &str, tokens: impl ToTokens) {
        let part =
            Part { family: family.module, place: place.to_owned(), tokens: tokens.into_token_stream() };
        self.parts.push(part);
    }

    /// The family that a whole item is about.
    fn item_family(&self, item: &Item) -> Option<&'static Family> {
        let of_type =
            |name: String| FAMILIES.iter().find(move |family| family.types.contains(&name.as_str()));
        match item {
            Item::Mod(module) if module.content.is_none() => {
                let path = format!("{}/{}", self.folder, module.ident);
                FAMILIES.iter().find(|family| family.module == path)
            }
            Item::Enum(item) => of_type(item.ident.to_string()),
            Item::Struct(item) => of_type(item.ident.to_string()),
            Item::Impl(item) => of_type(type_name(&item.self_ty)?),
            _ => None,
        }
    }

    /// Hands the arms that match families' variants to them; returns the others.
    fn core_arms(&mut self, arms: Vec<Arm>) -> Vec<Arm> {
        let number = self.matches;
        self.matches += 1;
        let mut kept = Vec::new();
        for arm in arms {
            let mut others = Vec::new();
            for pattern in alternatives(arm.pat.clone()) {
                match matched(&pattern).filter(|families| !families.is_empty()) {
                    None => others.push(pattern),
                    Some(families) => {
                        let place = format!("match {number} after {}", kept.len());
                        let (attributes, body) = (&arm.attrs, &arm.body);
                        for family in families.into_iter().map(|at| &FAMILIES[at]) {
                            self.take(family, &place, quote!(#(#attributes)* #pattern => #body));
                        }
                    }
                }
            }
            if let Some(pattern) = joined(others, &arm.pat) {
                kept.push(Arm { pat: pattern, comma: None, ..arm });
            }
        }
        kept
    }
}

impl Fold for Splitter<'_> {
    fn fold_file(&mut self, mut file: File) -> File {
        let items = std::mem::take(&mut file.items);
        for item in items {
            match self.item_family(&item) {
                Some(family) => self.take(family, "item", item),
                None => file.items.push(item),
            }
        }
        fold_file(self, file)
    }

    fn fold_item_enum(&mut self, mut item: ItemEnum) -> ItemEnum {
        let variants = std::mem::take(&mut item.variants);
        let names: Vec<String> = variants.iter().map(|variant| variant.ident.to_string()).collect();
        let fieldless = variants.iter().all(|variant| matches!(variant.fields, Fields::Unit));
        if fieldless || item.attrs.iter().any(orders) {
            self.notes.push(format!("order of {}: {}", item.ident, names.join(" ")));
        }
        for variant in variants {
            if is_default(&variant) {
                self.notes.push(format!("default of {}: {}", item.ident, variant.ident));
            }
            let name = format!("{}::{}", item.ident, variant.ident);
            match FAMILIES.iter().find(|family| family.variants.contains(&name.as_str())) {
                Some(family) => self.take(family, &format!("enum {}", item.ident), variant),
                None => item.variants.push(variant),
            }
        }
        fold_item_enum(self, item)
    }

    fn fold_expr_match(&mut self, mut expression: ExprMatch) -> ExprMatch {
        expression.arms = self.core_arms(expression.arms);
        fold_expr_match(self, expression)
    }
}

/// Whether the order of the variants can matter because of this attribute.
fn orders(attribute: &Attribute) -> bool {
    let text = attribute.to_token_stream().to_string();
    ["PartialOrd", "Ord", "Hash", "untagged", "repr"].iter().any(|word| text.contains(word))
}

fn is_default(variant: &Variant) -> bool {
    variant.attrs.iter().any(|attribute| attribute.path().is_ident("default"))
}

fn alternatives(pattern: Pat) -> Vec<Pat> {
    match pattern {
        Pat::Or(several) => several.cases.into_iter().collect(),
        one => vec![one],
    }
}

/// The pattern of the alternatives that are left; `whole` is the pattern before any was taken out.
fn joined(mut left: Vec<Pat>, whole: &Pat) -> Option<Pat> {
    match whole {
        Pat::Or(several) if left.len() > 1 => {
            Some(Pat::Or(syn::PatOr { cases: left.into_iter().collect(), ..several.clone() }))
        }
        _ => left.pop(),
    }
}

/// The families, as positions in [`FAMILIES`], without one of whose variants a pattern matches nothing; `None` or empty where
/// it may match without any.
fn matched(pattern: &Pat) -> Option<BTreeSet<usize>> {
    let all = |patterns: &mut dyn Iterator<Item = &Pat>| patterns.filter_map(matched).flatten().collect();
    match pattern {
        Pat::Path(pattern) => Some(variant_of(&pattern.path).into_iter().collect()),
        Pat::Struct(pattern) => {
            let inside: BTreeSet<usize> = all(&mut pattern.fields.iter().map(|field| &*field.pat));
            Some(inside.into_iter().chain(variant_of(&pattern.path)).collect())
        }
        Pat::TupleStruct(pattern) => {
            let inside: BTreeSet<usize> = all(&mut pattern.elems.iter());
            Some(inside.into_iter().chain(variant_of(&pattern.path)).collect())
        }
        Pat::Tuple(pattern) => Some(all(&mut pattern.elems.iter())),
        Pat::Reference(pattern) => matched(&pattern.pat),
        Pat::Paren(pattern) => matched(&pattern.pat),
        Pat::Guard(pattern) => matched(&pattern.pat),
        Pat::Ident(pattern) => matched(&pattern.subpat.as_ref()?.1),
        Pat::Or(pattern) => {
            let cases: Vec<_> = pattern.cases.iter().map(|case| matched(case).unwrap_or_default()).collect();
            let all_named = cases.iter().all(|families| !families.is_empty());
            all_named.then(|| cases.into_iter().flatten().collect())
        }
        _ => None,
    }
}

/// The family whose variant a path names, such as `PolicySpec::Easy` or `Self::Easy`.
fn variant_of(path: &Path) -> Option<usize> {
    let mut segments = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (variant, of) = (segments.next()?, segments.next()?);
    let is_named = |name: &&'static str| {
        name.split_once("::").is_some_and(|(whole, one)| one == variant && (of == whole || of == "Self"))
    };
    FAMILIES.iter().position(|family| family.variants.iter().any(is_named))
}

fn type_name(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}

/// Implementations in the sources of one family whose type is none of theirs: they can change what other code means without
/// being named there, so they count to the core as well. `None` where a source is no Rust.
pub fn foreign_implementations(sources: &[&str]) -> Option<Vec<TokenStream>> {
    let mut found = Declarations::default();
    for source in sources {
        found.fold_file(syn::parse_file(source).ok()?);
    }
    let Declarations { types, implementations } = found;
    let foreign = |item: &ItemImpl| !type_name(&item.self_ty).is_some_and(|name| types.contains(&name));
    Some(implementations.into_iter().filter(foreign).map(ToTokens::into_token_stream).collect())
}

/// Types and implementations met anywhere in some sources outside of test code.
#[derive(Default)]
struct Declarations {
    types: BTreeSet<String>,
    implementations: Vec<ItemImpl>,
}

impl Fold for Declarations {
    fn fold_item(&mut self, item: Item) -> Item {
        let (attributes, name) = match &item {
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Mod(item) => (&item.attrs, None),
            Item::Fn(item) => (&item.attrs, None),
            _ => return item,
        };
        if attributes.iter().any(is_cfg_test) {
            return item;
        }
        self.types.extend(name.map(ToString::to_string));
        if let Item::Impl(item) = &item {
            self.implementations.push(item.clone());
        }
        syn::fold::fold_item(self, item)
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    attribute.to_token_stream().to_string().replace(' ', "") == "#[cfg(test)]"
}
