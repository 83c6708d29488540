//! Where the elements of a container are: they stay where they were made when the container is moved or returned.
//!
//! Invariant: a place that is not mentioned holds its elements itself.

use std::collections::BTreeMap;

use super::Memory;
use crate::trace::{Base, Location};

/// The storage of containers that were moved.
#[derive(Clone, Debug, Default)]
pub(in crate::trace) struct Storage {
    /// Containers, to the place their elements were made at.
    kept: BTreeMap<Location, Location>,
    /// The same for what is on its way from one container to another.
    moving: BTreeMap<Location, Location>,
}

impl Memory {
    /// A container gives its elements to a temporary one.
    pub(in crate::trace) fn hand_storage(&mut self, from: &Location, taken: &Location) {
        let storage = self.stored_at(from);
        self.storage.moving.insert(taken.clone(), storage);
        // What it gets next is new.
        let fresh = self.local();
        self.storage.kept.insert(from.clone(), fresh);
    }

    /// An object becomes what another one is: the elements of a temporary container are its own from now on.
    pub(super) fn take_storage(&mut self, from: &Location, to: &Location) {
        self.storage.kept.remove(to);
        if let Some(storage) = self.storage.moving.get(from).cloned() {
            self.storage.kept.insert(to.clone(), storage);
        }
    }

    /// Containers in an object whose elements were made elsewhere, and where that was.
    pub(in crate::trace) fn storage_in(&self, base: Base) -> Vec<(Location, Base)> {
        let kept = self.storage.kept.iter();
        let own = kept.filter(|(container, storage)| container.base == base && storage.base != base);
        own.map(|(container, storage)| (container.clone(), storage.base))
            .collect()
    }

    /// Where what stands at a place of a container was made.
    pub(in crate::trace) fn stored_at(&self, place: &Location) -> Location {
        if self.storage.kept.is_empty() && self.storage.moving.is_empty() {
            return place.clone();
        }
        for length in (0..=place.path.len()).rev() {
            let container = Location {
                base: place.base,
                path: place.path[..length].to_vec(),
            };
            let kept = self.storage.kept.get(&container);
            if let Some(storage) = kept.or_else(|| self.storage.moving.get(&container)) {
                let mut made = storage.clone();
                made.path.extend_from_slice(&place.path[length..]);
                return made;
            }
        }
        place.clone()
    }
}
