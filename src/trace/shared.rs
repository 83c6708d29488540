//! What many states have in common: kept once, and copied by the first of them that changes it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A part of a state. Copies of it cost nothing until one of them changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Whether nothing changed since one of the two was copied from the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
