//! `schema`: every word of the experiment language, from the tables that the program itself reads by.

use crate::args::SchemaArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use crate::wrapped::wrapped;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use sweep::language::{Form, PARTS, Part, figure_kinds, forms, predicates, quantities};
use sweep::{FIELDS, Field, FieldKind};
use table::Table;

/// Where the fields of a case can be named.
const PLACES: &str = "axes, zip, set, scales, assumptions, exclude, only, --set";

/// Prints the words of the experiment language, or one of them.
///
/// # Errors
/// A word that there is not.
pub fn schema(args: &SchemaArgs) -> Result<Ending, Failure> {
    let text = match (&args.name, args.json) {
        (None, false) => table(),
        (None, true) => pretty(&whole())?,
        (Some(name), json) => {
            let found = Found::of(name);
            if found.is_empty() {
                return Err(unknown(name));
            }
            if json { pretty(&found.json())? } else { found.text() }
        }
    };
    output::data(&text)?;
    Ok(Ending::Done)
}

/// What has a name: `source` is a part of a file and a field of a case.
struct Found {
    field: Option<&'static Field>,
    part: Option<&'static Part>,
    form: Option<Form>,
}

impl Found {
    fn of(name: &str) -> Found {
        let singular = name.strip_suffix('s').unwrap_or(name);
        Found {
            field: sweep::find_field(name),
            part: PARTS.iter().find(|part| part.name == name),
            form: forms().into_iter().find(|form| form.name == name || form.name == singular),
        }
    }

    fn is_empty(&self) -> bool {
        self.field.is_none() && self.part.is_none() && self.form.is_none()
    }

    fn json(&self) -> Value {
        let named = |name: &str, value: Value| (name.to_owned(), value);
        let field = self.field.map(|field| named("field", of_field(field)));
        let part = self.part.map(|part| named("part", of_part(part)));
        let form = self.form.as_ref().map(|form| named("form", of_form(form)));
        Value::Object([field, part, form].into_iter().flatten().collect::<Map<_, _>>())
    }

    fn text(&self) -> String {
        let field = self.field.map(describe_field);
        let part = self.part.map(|part| {
            let lines = [("is", part.values), ("default", part.default), ("means", part.doc)];
            heading(part.name, "a part of an experiment file") + &lines_of(&lines)
        });
        let form = self.form.as_ref().map(|form| {
            let what = match form.name {
                name if predicates().contains(&name) => "a predicate of claims",
                name if quantities().contains(&name) => "a quantity of claims and published tables",
                _ => "as written",
            };
            heading(form.name, what) + &lines_of(&[("has", &form.fields.join(", "))])
        });
        [field, part, form].into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

fn describe_field(field: &Field) -> String {
    let lines = [
        ("path", field.path),
        ("takes", field.values),
        ("unit", if field.unit.is_empty() { "none" } else { field.unit }),
        ("default", field.default),
        ("means", field.doc),
        ("source", if field.source.is_empty() { "none: ours" } else { field.source }),
        ("named in", PLACES),
    ];
    heading(field.name, "a field of a case") + &lines_of(&lines)
}

fn heading(name: &str, what: &str) -> String {
    format!("{name}: {what}\n")
}

/// Names and texts, the texts wrapped to 80 columns beside the names.
fn lines_of(lines: &[(&str, &str)]) -> String {
    const INDENT: usize = 12;
    let mut text = String::new();
    for (name, words) in lines {
        // Writing to a string cannot fail.
        let _ = write!(text, "  {name:<width$}{}", wrapped(words, INDENT, INDENT), width = INDENT - 2);
        text.push('\n');
    }
    text
}

fn table() -> String {
    let mut text = "Fields of a case, which can be named by name or by path:\n\n".to_owned();
    let mut row = |cells: [&str; 4]| {
        let [name, path, unit, default] = cells;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", format!("{name:<18} {path:<31} {unit:<7} {default}").trim_end());
    };
    row(["name", "path", "unit", "default"]);
    FIELDS.iter().for_each(|field| row([field.name, field.path, field.unit, &cut(field.default, 19)]));
    text.push_str("\nParts of an experiment file:\n\n");
    for Part { name, values, default, .. } in PARTS {
        let shown = if *default == "required" { "required" } else { "" };
        let _ = writeln!(text, "  {}", format!("{name:<13} {:<54} {shown}", cut(values, 54)).trim_end());
    }
    let _ =
        writeln!(text, "\nPredicates of claims:\n{}", lines_of(&[("", &predicates().join(", "))]).trim_end());
    let quantities = lines_of(&[("", &quantities().join(", "))]);
    let _ = writeln!(text, "\nQuantities of claims and published tables:\n{}", quantities.trim_end());
    let _ =
        writeln!(text, "\nKinds of figures:\n{}", lines_of(&[("", &figure_kinds().join(", "))]).trim_end());
    text.push_str("\n`backsweep schema NAME` says what one of them takes and means.\n");
    text
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(2)).collect::<String>() + ".."
}

/// Everything, in the form of a JSON Schema.
fn whole() -> Value {
    let fields: Map<_, _> = FIELDS.iter().map(|field| (field.name.to_owned(), of_field(field))).collect();
    let parts: Map<_, _> = PARTS.iter().map(|part| (part.name.to_owned(), of_part(part))).collect();
    let forms: Map<_, _> = forms().iter().map(|form| (form.name.to_owned(), of_form(form))).collect();
    let required: Vec<&str> =
        PARTS.iter().filter(|part| part.default == "required").map(|part| part.name).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "backsweep experiment",
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": parts,
        "$defs": {
            "fields": { "type": "object", "properties": fields },
            "forms": forms,
            "predicates": { "enum": predicates() },
            "quantities": { "enum": quantities() },
            "figure_kinds": { "enum": figure_kinds() },
        },
    })
}

fn of_field(field: &Field) -> Value {
    let words = field.words();
    let kind = match field.kind {
        FieldKind::Real => "number",
        FieldKind::Int => "integer",
        FieldKind::List => "array",
        FieldKind::Text if words == ["true", "false"] => "boolean",
        FieldKind::Text => "string",
    };
    let mut value = json!({
        "type": kind,
        "path": field.path,
        "values": field.values,
        "description": field.doc,
    });
    let optional = [
        ("unit", Some(json!(field.unit)).filter(|_| !field.unit.is_empty())),
        ("source", Some(json!(field.source)).filter(|_| !field.source.is_empty())),
        ("default", Some(json!(field.default)).filter(|_| field.default != "required")),
        ("enum", Some(json!(words)).filter(|_| !words.is_empty() && kind == "string")),
    ];
    if let Value::Object(fields) = &mut value {
        fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    value
}

fn of_part(part: &Part) -> Value {
    let kind = match part.values.chars().next() {
        Some('{' | '(') => "object",
        Some('[') => "array",
        Some('"') => "string",
        _ => "integer",
    };
    let mut value = json!({ "type": kind, "values": part.values, "description": part.doc });
    if let (Value::Object(fields), false) = (&mut value, part.default == "required") {
        fields.insert("default".to_owned(), json!(part.default));
    }
    value
}

fn of_form(form: &Form) -> Value {
    let properties: Map<_, _> = form.fields.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

fn pretty(value: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|problem| Failure::work(problem.to_string()))?;
    Ok(text + "\n")
}

fn unknown(name: &str) -> Failure {
    let fields = FIELDS.iter().flat_map(|field| [field.name, field.path]);
    let forms = forms();
    let known = fields.chain(PARTS.iter().map(|part| part.name)).chain(forms.iter().map(|form| form.name));
    let failure = Failure::question(format!("`{name}` is no word of the experiment language"));
    match sweep::nearest(name, known) {
        _ if is_column(name) => {
            failure.hint(format!("`backsweep schema --tables {name}` says what that column is"))
        }
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint("`backsweep schema` lists all of them"),
    }
}

/// Whether a table has such a column.
fn is_column(name: &str) -> bool {
    Table::ALL.into_iter().any(|table| {
        let mut docs = table.leading().iter().chain(table.trailing()).chain(table.metrics());
        docs.any(|doc| doc.column == name)
    })
}
