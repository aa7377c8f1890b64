//! The tools as agents see them: rows of `data/mcp.toml`.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use scent_print::answer_schema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let text = include_str!("../../data/mcp.toml");
    toml::from_str(text).expect("a test reads the catalogue")
});

/// What agents are told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Catalogue {
    pub instructions: String,
    shared: Vec<Parameter>,
    pub tools: Vec<Row>,
    pub resources: Vec<ResourceRow>,
}

/// Something that a client may read by an address.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResourceRow {
    /// The address; with a word in braces, a template of many.
    pub uri: String,
    pub name: String,
    pub title: String,
    pub about: String,
    /// The tool that answers, and which of its parameters the word in braces is.
    pub tool: String,
    pub argument: Option<String>,
}

/// Which servers offer a tool.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Tools {
    /// All servers: the tools that answer nearly everything.
    #[default]
    Core,
    /// Those that are to offer every tool.
    All,
    /// None: it answers for resources.
    #[doc(hidden)]
    None,
}

/// A tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub name: String,
    pub title: String,
    pub description: String,
    /// How long its answers are where nobody says how long.
    pub tokens: usize,
    /// Which servers offer it.
    #[serde(default)]
    pub offered: Tools,
    /// What its answer is in JSON, by the names of the schema.
    #[serde(default)]
    pub answers: Vec<String>,
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

/// A parameter of a tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameter {
    pub name: String,
    #[serde(rename = "type")]
    pub form: Form,
    pub about: String,
    /// What models call it, too.
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub choices: Vec<String>,
    #[serde(default)]
    pub required: bool,
    /// Whether commas in a string part the entries of a list.
    #[serde(default)]
    pub split: bool,
}

/// What a value of a parameter is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    String,
    Integer,
    Number,
    Boolean,
    Choice,
    List,
}

impl Catalogue {
    pub fn get() -> &'static Catalogue {
        &CATALOGUE
    }

    pub fn row(&self, name: &str) -> Option<&Row> {
        self.tools.iter().find(|row| row.name == name)
    }

    /// The tool of a name, if a server with these tools offers it.
    pub fn offered(&self, name: &str, tools: Tools) -> Option<&Row> {
        self.row(name).filter(|row| row.offered <= tools)
    }

    pub fn names(&self, tools: Tools) -> impl Iterator<Item = &str> {
        let offered = self.tools.iter().filter(move |row| row.offered <= tools);
        offered.map(|row| row.name.as_str())
    }

    /// All parameters of a tool, its own first.
    pub fn parameters<'c>(&'c self, row: &'c Row) -> impl Iterator<Item = &'c Parameter> {
        row.parameters.iter().chain(&self.shared)
    }

    /// The tools that a server offers, in the order of the file; with the
    /// schemas of their answers where these are structured.
    pub fn tools(&self, tools: Tools, structured: bool) -> Vec<Tool> {
        let offered = self.tools.iter().filter(|row| row.offered <= tools);
        let tool = |row: &Row| match (structured, answer_schema(&row.answers)) {
            (true, Value::Object(schema)) => {
                self.tool(row).with_raw_output_schema(Arc::new(schema))
            }
            _ => self.tool(row),
        };
        offered.map(tool).collect()
    }

    fn tool(&self, row: &Row) -> Tool {
        let hints = ToolAnnotations::with_title(&row.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new(
            row.name.clone(),
            row.description.clone(),
            Arc::new(self.schema(row)),
        )
        .with_title(&row.title)
        .with_annotations(hints)
    }

    fn schema(&self, row: &Row) -> JsonObject {
        let mut properties = JsonObject::new();
        for parameter in self.parameters(row) {
            properties.insert(parameter.name.clone(), parameter.schema());
        }
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        let required = row.parameters.iter().filter(|p| p.required);
        let required: Vec<&str> = required.map(|p| p.name.as_str()).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        schema
    }
}

impl Parameter {
    fn schema(&self) -> Value {
        let about = &self.about;
        match self.form {
            Form::String => json!({"type": "string", "description": about}),
            Form::Integer => json!({"type": "integer", "description": about}),
            Form::Number => json!({"type": "number", "description": about}),
            Form::Boolean => json!({"type": "boolean", "description": about}),
            Form::Choice => {
                json!({"type": "string", "enum": self.choices, "description": about})
            }
            Form::List => {
                json!({"type": "array", "items": {"type": "string"}, "description": about})
            }
        }
    }

    /// Whether a model that wrote this name means the parameter.
    pub fn is_called(&self, name: &str) -> bool {
        let wanted = spelled(name);
        let mut names = self.aliases.iter().chain([&self.name]);
        names.any(|known| spelled(known) == wanted)
    }
}

/// A name without case and signs: `maxResults` and `max_results` are the same.
fn spelled(name: &str) -> String {
    let mut plain = name.to_lowercase();
    plain.retain(char::is_alphanumeric);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_tools_is_short_and_each_is_described() {
        let catalogue = Catalogue::get();
        let instructions = catalogue.instructions.chars().count();
        assert!((1..=2_000).contains(&instructions), "{instructions}");
        let tools = catalogue.tools(Tools::Core, false);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(
            names,
            ["search", "def", "refs", "impact", "deps", "outline"]
        );
        let written = serde_json::to_string(&tools).unwrap();
        assert!(written.len() < 8_000, "{} characters", written.len());
        for tool in &tools {
            let about = tool.description.as_deref().unwrap_or_default();
            assert!((40..=600).contains(&about.chars().count()), "{}", tool.name);
        }
        for sign in ["$ref", "oneOf", "anyOf", "null", "[\"string\","] {
            assert!(!written.contains(sign), "{sign}");
        }
    }

    #[test]
    fn every_resource_is_answered_by_a_tool() {
        let catalogue = Catalogue::get();
        for resource in &catalogue.resources {
            let row = catalogue.row(&resource.tool).expect("a tool");
            let is_template = resource.uri.contains('{');
            assert_eq!(is_template, resource.argument.is_some(), "{}", resource.uri);
            if let Some(name) = &resource.argument {
                assert!(row.parameters.iter().any(|p| p.name == *name), "{name}");
            }
        }
        for row in catalogue
            .tools
            .iter()
            .filter(|row| row.offered < Tools::None)
        {
            assert!(!row.answers.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn no_name_stands_for_two_parameters_of_a_tool() {
        let catalogue = Catalogue::get();
        for row in &catalogue.tools {
            for parameter in catalogue.parameters(row) {
                let is_choice = parameter.form == Form::Choice;
                assert_eq!(is_choice, !parameter.choices.is_empty());
                for name in parameter.aliases.iter().chain([&parameter.name]) {
                    let meant = catalogue.parameters(row).filter(|p| p.is_called(name));
                    assert_eq!(meant.count(), 1, "{name} of {}", row.name);
                }
            }
        }
    }
}
