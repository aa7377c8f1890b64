//! Errors for programs.

use crate::suggest::Advice;
use scent_engine::{EngineError, RequestError};

/// The code of an error that has none.
const OTHER: &str = "other";

/// The code of an error: a word for programs that never changes.
pub(crate) fn code(error: &anyhow::Error) -> &'static str {
    for cause in error.chain() {
        if let Some(error) = cause.downcast_ref::<EngineError>() {
            return error.code();
        }
        if let Some(error) = cause.downcast_ref::<RequestError>() {
            return error.code();
        }
        if let Some(advice) = cause.downcast_ref::<Advice>() {
            return advice.error.code();
        }
    }
    OTHER
}
