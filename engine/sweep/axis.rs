//! The values of one axis: a list as written, or a range written out in decimal-clean numbers.

use crate::field::{self, Field, FieldKind, Value};
use crate::nested::expand;
use crate::normal_form::normal_form;
use crate::problem::Problem;
use crate::range::{is_range, range};
use crate::ron_text::Written;
use crate::run_spec::{AxisValue, ColumnKind};
use std::sync::Arc;

/// What a column prints for a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// The value's normal form.
    pub(crate) text: Arc<str>,
    /// Its number, where it is one.
    pub(crate) number: Option<f64>,
}

impl Label {
    /// The label of a piece of RON.
    pub(crate) fn of(text: &str) -> Label {
        let text: Arc<str> = normal_form(text).into();
        let number = text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
        Label { text, number }
    }

    /// Whether it is a whole number that was written without a point.
    pub(crate) fn is_whole(&self) -> bool {
        self.number.is_some() && !self.text.contains(['.', 'e', 'E'])
    }

    /// The cell of a column of this kind.
    pub(crate) fn cell(&self, kind: ColumnKind) -> AxisValue {
        match (kind, self.number) {
            (ColumnKind::Text, _) => AxisValue::Text(Arc::clone(&self.text)),
            (ColumnKind::Int, Some(number)) => AxisValue::Int(number as i64),
            (ColumnKind::Real, Some(number)) => AxisValue::Real(number),
            (ColumnKind::Int | ColumnKind::Real, None) => AxisValue::Missing,
        }
    }
}

/// One value of an axis.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) label: Label,
    pub(crate) value: Value,
}

/// A field and the values it takes, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) field: &'static Field,
    pub(crate) place: Written,
    pub(crate) choices: Vec<Choice>,
    /// Cases whose objects lack the field stay as they are: it is written `"field?"`, in a labelled group only.
    pub(crate) optional: bool,
}

/// A value before it is read: its place, and its text, which for a range is computed.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    place: Written,
    computed: Option<String>,
}

impl Item {
    /// A value that stands in the text.
    pub(crate) fn written(place: Written) -> Item {
        Item { place, computed: None }
    }

    /// A value that the text at `place` stands for.
    pub(crate) fn computed(place: Written, text: String) -> Item {
        Item { place, computed: Some(text) }
    }

    /// The value as RON.
    pub(crate) fn text(&self) -> &str {
        self.computed.as_deref().unwrap_or_else(|| self.place.text())
    }

    /// Where it stands, or the range that it is from.
    pub(crate) fn place(&self) -> &Written {
        &self.place
    }

    /// A problem with this value.
    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        self.place.problem(message)
    }
}

impl Axis {
    /// Reads an axis: `key: [..]` or `key: Range(..)`. All bad values are reported.
    pub(crate) fn read(field: &'static Field, key: &Written, value: &Written) -> Result<Axis, Vec<Problem>> {
        let items = items(field.name, value).map_err(|problem| vec![problem])?;
        Axis::of_items(field, key, &items)
    }

    /// Reads an axis with a single value.
    pub(crate) fn single(
        field: &'static Field,
        key: &Written,
        value: &Written,
    ) -> Result<Axis, Vec<Problem>> {
        Axis::of_items(field, key, &[Item::written(value.clone())])
    }

    /// Reads the values of an axis; the same value twice is a problem, as it would count twice in every mean.
    pub(crate) fn of_items(
        field: &'static Field,
        key: &Written,
        items: &[Item],
    ) -> Result<Axis, Vec<Problem>> {
        let axis = Axis::with_repeats(field, key, items)?;
        let mut seen = std::collections::BTreeSet::new();
        let repeated =
            axis.choices.iter().zip(items).filter(|(choice, _)| !seen.insert(&choice.value.canonical));
        let problems: Vec<_> = repeated
            .map(|(choice, item)| {
                item.problem(format!("`{}` has the value {} twice", field.name, choice.label.text))
            })
            .collect();
        if problems.is_empty() { Ok(axis) } else { Err(problems) }
    }

    /// Reads the values of a field in a zip group, where a value may come back.
    pub(crate) fn with_repeats(
        field: &'static Field,
        key: &Written,
        items: &[Item],
    ) -> Result<Axis, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut choices = Vec::with_capacity(items.len());
        // Of a range, or a list inside a value, only the first bad value is told: there may be a million more for the same reason.
        let mut told = None;
        for item in items {
            let range = item.computed.is_some().then(|| item.place.text().as_ptr());
            if range.is_some() && range == told {
                continue;
            }
            let read = match &item.computed {
                None => field.read(&item.place),
                Some(text) => field.read(&Written::whole("", text)).map_err(|problem| {
                    let from = if is_range(item.place.text()) { "the range" } else { "the list inside" };
                    item.problem(format!("{} (value {text} of {from})", problem.message))
                        .with_help(problem.help)
                }),
            };
            match read {
                Ok(value) => choices.push(Choice { label: Label::of(item.text()), value }),
                Err(problem) => {
                    told = range;
                    problems.push(problem);
                }
            }
        }
        if problems.is_empty() {
            Ok(Axis { field, place: key.clone(), choices, optional: false })
        } else {
            Err(problems)
        }
    }
}

/// Whether a piece of text is a list or a range rather than one value of this field; a name that is no field has plain values.
pub(crate) fn is_many(name: &str, written: &Written) -> bool {
    let text = written.text();
    let of_lists = || field::find(name).is_some_and(|field| field.kind == FieldKind::List);
    match text.strip_prefix('[') {
        Some(inside) => !of_lists() || inside.trim_start().starts_with('['),
        None => is_range(text),
    }
}

/// The values of a list or a range, those inside of values written out; at least one.
pub(crate) fn items(name: &str, written: &Written) -> Result<Vec<Item>, Problem> {
    let items: Vec<Item> = if is_range(written.text()) {
        let texts = range(written)?;
        texts.into_iter().map(|text| Item::computed(written.clone(), text)).collect()
    } else if written.text().starts_with('[') {
        let written: Vec<Vec<Item>> = written.items()?.into_iter().map(expand).collect::<Result<_, _>>()?;
        written.into_iter().flatten().collect()
    } else {
        let help = "write [a, b, ..], Range(from: .., to: .., step: ..), Range(from: .., to: .., count: ..) or \
                    LogRange(from: .., to: .., count: ..)";
        return Err(written.problem(format!("`{name}` needs a list or a range")).with_help(help.to_owned()));
    };
    if items.is_empty() {
        return Err(written
            .problem(format!("`{name}` has no values"))
            .with_help("remove it, or give it values".to_owned()));
    }
    Ok(items)
}
