//! Parameters of a request: the same struct in an address and in a body.
//!
//! Everything in an address is text. What a field takes is read from the schema
//! that is made of its type, so that the document, the address and the body
//! never differ.

use super::problem::Problem;
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use utoipa::ToSchema;

/// More values than this are not read.
const MOST_VALUES: usize = 200;

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Text,
    Number,
    Flag,
    Texts,
}

type Fields = Arc<BTreeMap<String, Takes>>;

/// Parameters out of the part of an address behind the `?`.
pub(crate) fn from_address<T>(query: &str) -> Result<T, Problem>
where
    T: ToSchema + DeserializeOwned + 'static,
{
    let fields = fields_of::<T>();
    let mut values = Map::new();
    for (nth, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        if nth >= MOST_VALUES {
            let detail = format!("more than {MOST_VALUES} parameters");
            return Err(Problem::bad("too-many-parameters", detail));
        }
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, text) = (decoded(name)?, decoded(text)?);
        let Some(takes) = fields.get(&name) else {
            return Err(unknown(&name, &fields));
        };
        add(&mut values, name, text, *takes)?;
    }
    read(Value::Object(values), &fields)
}

/// Parameters out of a body in JSON.
pub(crate) fn from_body<T>(body: &[u8]) -> Result<T, Problem>
where
    T: ToSchema + DeserializeOwned + 'static,
{
    let fields = fields_of::<T>();
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Problem::bad("bad-body", format!("the body is not JSON: {error}")))?;
    let Value::Object(given) = &value else {
        return Err(Problem::bad("bad-body", "the body is an object in JSON"));
    };
    if let Some(name) = given.keys().find(|name| !fields.contains_key(*name)) {
        return Err(unknown(name, &fields));
    }
    let many = given
        .values()
        .filter_map(Value::as_array)
        .map(Vec::len)
        .sum::<usize>();
    if many > MOST_VALUES {
        let detail = format!("more than {MOST_VALUES} values");
        return Err(Problem::bad("too-many-parameters", detail));
    }
    read(value, &fields)
}

fn read<T: DeserializeOwned>(value: Value, fields: &Fields) -> Result<T, Problem> {
    serde_json::from_value(value).map_err(|error| {
        let known = fields.keys().cloned();
        Problem::bad("bad-parameter", error.to_string()).with_known(known)
    })
}

fn unknown(name: &str, fields: &Fields) -> Problem {
    let detail = format!("{name:?} is no parameter here");
    Problem::bad("unknown-parameter", detail).with_known(fields.keys().cloned())
}

/// Adds a value to the others. A list is given in several parameters of a name.
fn add(
    values: &mut Map<String, Value>,
    name: String,
    text: String,
    takes: Takes,
) -> Result<(), Problem> {
    let wrong = |what: &str| {
        let detail = format!("{name} is {what}, not {text:?}");
        Problem::bad("bad-parameter", detail)
    };
    let value = match takes {
        Takes::Texts => {
            let list = values
                .entry(name)
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(Value::String(text));
            }
            return Ok(());
        }
        Takes::Text => Value::String(text),
        Takes::Number => match serde_json::from_str::<serde_json::Number>(&text) {
            Ok(number) => Value::Number(number),
            Err(_) => return Err(wrong("a number")),
        },
        Takes::Flag => match text.as_str() {
            "" | "1" | "true" => Value::Bool(true),
            "0" | "false" => Value::Bool(false),
            _ => return Err(wrong("true or false")),
        },
    };
    if values.contains_key(&name) {
        let detail = format!("{name} is given twice");
        return Err(Problem::bad("bad-parameter", detail));
    }
    values.insert(name, value);
    Ok(())
}

/// A part of an address as it is meant.
fn decoded(text: &str) -> Result<String, Problem> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let code = tail
                    .get(..2)
                    .and_then(|code| std::str::from_utf8(code).ok());
                let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
                bytes.push(byte.ok_or_else(bad_address)?);
                rest = &tail[2..];
            }
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).map_err(|_| bad_address())
}

fn bad_address() -> Problem {
    let detail = "the address is not UTF-8, each byte written as %XX";
    Problem::new(StatusCode::BAD_REQUEST, "bad-address", detail)
}

/// The fields of a struct, from its schema, which is looked through once.
fn fields_of<T: ToSchema + 'static>() -> Fields {
    static KNOWN: LazyLock<Mutex<HashMap<TypeId, Fields>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let fields = known.entry(TypeId::of::<T>());
    Arc::clone(fields.or_insert_with(|| {
        let schema = serde_json::to_value(T::schema()).unwrap_or_default();
        let mut fields = BTreeMap::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            fields.insert(name.clone(), takes(schema));
        }
        Arc::new(fields)
    }))
}

fn takes(schema: &Value) -> Takes {
    let has = |name: &str| match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    };
    if has("array") {
        Takes::Texts
    } else if has("boolean") {
        Takes::Flag
    } else if has("integer") || has("number") {
        Takes::Number
    } else {
        Takes::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Default, PartialEq, Deserialize, ToSchema)]
    #[serde(default)]
    struct Sample {
        q: String,
        k: Option<usize>,
        share: Option<f32>,
        lang: Vec<String>,
        fresh: bool,
    }

    #[test]
    fn an_address_and_a_body_say_the_same() {
        let query = "q=a+b%20%C3%A9%26&k=3&share=0.5&lang=rust&lang=go&lang=c&fresh";
        let body = json!({
            "q": "a b é&", "k": 3, "share": 0.5, "lang": ["rust", "go", "c"], "fresh": true
        });
        let from_body: Sample = from_body(body.to_string().as_bytes()).unwrap();
        assert_eq!(from_address::<Sample>(query).unwrap(), from_body);
        assert_eq!(from_body.lang.len(), 3);
        assert_eq!(from_address::<Sample>("").unwrap(), Sample::default());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (query, code) in [
            ("nope=1", "unknown-parameter"),
            ("k=ten", "bad-parameter"),
            ("k=-1", "bad-parameter"),
            ("k=1&k=2", "bad-parameter"),
            ("fresh=maybe", "bad-parameter"),
            ("q=%zz", "bad-address"),
            ("q=%ff", "bad-address"),
            ("q=%", "bad-address"),
            (&"lang=a&".repeat(1_000), "too-many-parameters"),
        ] {
            let problem = from_address::<Sample>(query).unwrap_err();
            assert_eq!(problem.code, code, "{query}");
        }
        for (body, code) in [
            ("[]", "bad-body"),
            ("{", "bad-body"),
            (r#"{"nope": 1}"#, "unknown-parameter"),
            (r#"{"k": "3"}"#, "bad-parameter"),
        ] {
            let problem = from_body::<Sample>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.code, code, "{body}");
        }
    }
}
