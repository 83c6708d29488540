//! What the texts of single files say for themselves, worked out when somebody asks and kept until an edit gets there.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::elsewhere::MadeElsewhere;
use super::event_fields::Occurrence;
use super::reads::{self, Reads};
use super::{FileId, Program};

/// An answer, with what was read for it.
type Known<T> = OnceLock<(T, Reads)>;

/// What one unit says.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// Where the names of fields that are events stand.
    occurrences: Known<Vec<(String, Occurrence)>>,
    made_elsewhere: Known<Vec<MadeElsewhere>>,
}

impl Program {
    pub(super) fn occurrences_in(&self, unit: usize, names: &BTreeSet<&str>) -> &[(String, Occurrence)] {
        let known = &self.texts[unit].occurrences;
        &known
            .get_or_init(|| reads::of(|| self.occurrences(unit, names)))
            .0
    }

    pub(super) fn made_in(&self, unit: usize) -> &[MadeElsewhere] {
        let known = &self.texts[unit].made_elsewhere;
        &known.get_or_init(|| reads::of(|| self.made_elsewhere_of(unit))).0
    }

    /// Forgets what was read in some files; names of fields are declared, and stay.
    pub(super) fn forget_texts(&mut self, files: &BTreeSet<FileId>) {
        for (unit, text) in self.texts.iter_mut().enumerate() {
            let is_edited = files.contains(&FileId(unit as u32));
            let lies_in = |reads: Option<&Reads>| reads.is_some_and(|it| is_edited || it.lie_in(files));
            if lies_in(text.occurrences.get().map(|it| &it.1)) {
                text.occurrences = OnceLock::new();
            }
            if lies_in(text.made_elsewhere.get().map(|it| &it.1)) {
                text.made_elsewhere = OnceLock::new();
            }
        }
    }
}
