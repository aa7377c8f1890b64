//! What `scent doctor` found.

use crate::text::Text;
use crate::wire::{Check, Doctor};

/// What was checked, by agent: a line for each, and below it what to do.
pub fn doctor_text(found: &Doctor) -> Text {
    let mut out = Text::line(&format!("scent {} ({})", found.version, found.program));
    let mut agent = None;
    for check in &found.checks {
        if check.agent != agent {
            agent = check.agent;
            out += Text::line(agent.unwrap_or("scent"));
        }
        out += Text::line(&format!(
            "  {:<8} {:<12} {}",
            check.status,
            check.part,
            about(check)
        ));
        if let Some(advice) = &check.advice {
            out += Text::line(&format!("{:24}-> {advice}", ""));
        }
    }
    out
}

fn about(check: &Check) -> String {
    match &check.path {
        Some(path) => format!("{path}: {}", check.message),
        None => check.message.clone(),
    }
}
