//! Canonical JSON: one text per value. Keys sorted, no white space, floats in their shortest round-trip form, −0 as 0.

use serde::Serialize;
use serde_json::Value;

/// The canonical text of a value.
///
/// # Errors
/// Where the value has no JSON form (a map whose keys are not text).
pub fn text<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(text_of(&serde_json::to_value(value)?))
}

/// The canonical text of a JSON value.
pub(crate) fn text_of(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            // Adding zero turns −0 into 0; Rust prints the shortest digits that read back as the same float.
            Some(real) => out.push_str(&format!("{:?}", real + 0.0)),
            None => out.push_str(&number.to_string()),
        },
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            out.push('{');
            for (index, (name, field)) in fields.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_text(name, out);
                out.push(':');
                write(field, out);
            }
            out.push('}');
        }
    }
}

/// A JSON string; only what must be escaped is.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            letter if (letter as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn one_text_per_value() {
        let value = json!({"b": [1, -0.0, 0.1, 1e300, 2.0], "a": {"z": null, "y": "q\"\\\n"}, "c": true});
        assert_eq!(
            text(&value).unwrap(),
            r#"{"a":{"y":"q\"\\\u000a","z":null},"b":[1,0.0,0.1,1e300,2.0],"c":true}"#
        );
    }

    proptest! {
        #[test]
        fn reads_back_as_the_same_value(real in any::<f64>().prop_filter("finite", |x| x.is_finite()), words in ".*", n in any::<u64>()) {
            let value = json!({"real": real, "words": words, "n": n});
            let read: Value = serde_json::from_str(&text(&value).unwrap()).unwrap();
            prop_assert_eq!(read["real"].as_f64(), Some(real));
            prop_assert_eq!(&read["words"], &value["words"]);
            prop_assert_eq!(read["n"].as_u64(), Some(n));
        }
    }
}
