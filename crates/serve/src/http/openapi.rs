//! The description of the API, made from the types that requests are read into
//! and answers are written from.

use super::answer::{Form, json};
use super::{about, events, lookup, search};
use axum::response::Response;
use scent_print::Text;
use std::sync::OnceLock;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "scent",
        description = "Search code by words, meaning, name, path or pattern, and look up its \
                       structure. Paths are relative to a root, with `/`; lines count from 1. \
                       Errors are `application/problem+json`.",
    ),
    paths(
        search::search,
        search::similar,
        lookup::definitions,
        lookup::references,
        lookup::dependencies,
        lookup::impact,
        lookup::callpath,
        lookup::outline,
        lookup::map,
        lookup::context,
        about::roots,
        about::status,
        about::languages,
        about::refresh,
        events::events,
        about::healthz,
        about::readyz,
        about::metrics,
    ),
    security(("token" = [])),
    modifiers(&Bearer),
)]
struct Api;

/// How the token is sent.
struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
        document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    }
}

/// The document.
pub(crate) fn document() -> &'static Text {
    static DOCUMENT: OnceLock<Text> = OnceLock::new();
    DOCUMENT.get_or_init(|| Text::json(&Api::openapi()))
}

/// The description of the API.
pub(crate) async fn openapi() -> Response {
    json(document().clone(), Form::Whole, None)
}

#[cfg(test)]
mod tests {
    use super::document;
    use serde_json::Value;

    #[test]
    fn every_reference_leads_somewhere() {
        let document: Value = serde_json::from_str(document().as_str()).unwrap();
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
        let mut open = vec![&document];
        let mut references = 0;
        while let Some(value) = open.pop() {
            match value {
                Value::Object(object) => open.extend(object.values()),
                Value::Array(list) => open.extend(list),
                Value::String(text) if text.starts_with("#/") => {
                    references += 1;
                    assert!(document.pointer(&text[1..]).is_some(), "{text}");
                }
                _ => {}
            }
        }
        assert!(references > 50, "{references}");
    }
}
