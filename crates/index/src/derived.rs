//! What readers work out of a generation and keep with it.

use crate::error::Result;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError};

/// Values by their types, one of each.
#[derive(Default)]
pub(crate) struct Derived {
    values: Mutex<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Derived {
    /// The value of a type, made where there is none yet. Two that ask at the
    /// same time may both make it; both get the same.
    pub fn get<T: Any + Send + Sync>(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = values.entry(TypeId::of::<T>()).or_insert_with(|| {
            let kept: Arc<T> = Arc::clone(&made);
            kept
        });
        Ok(Arc::clone(kept).downcast().unwrap_or(made))
    }

    fn known<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let known = values.get(&TypeId::of::<T>())?;
        Arc::clone(known).downcast().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_each_type_is_made_once() {
        let derived = Derived::default();
        let text = |text: &str| derived.get(|| Ok(text.to_owned())).unwrap();
        assert_eq!(*text("first"), "first");
        assert_eq!(*text("second"), "first");
        assert_eq!(*derived.get(|| Ok(7_u32)).unwrap(), 7);
    }
}
