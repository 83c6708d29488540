//! What the texts of single files say for themselves, worked out when somebody asks and kept until an edit gets there.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::default_carriers::DefaultCarrier;
use super::elsewhere::MadeElsewhere;
use super::event_fields::Occurrence;
use super::freed::Freed;
use super::reads::{self, Reads};
use super::twins::StreamLeftOut;
use super::{FileId, Program};

/// An answer, with what was read for it.
type Known<T> = OnceLock<(T, Reads)>;

/// What one unit says.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// Where the names of fields that are events stand.
    occurrences: Known<Vec<(String, Occurrence)>>,
    made_elsewhere: Known<Vec<MadeElsewhere>>,
    default_carriers: Known<Vec<DefaultCarrier>>,
    left_out: Known<Vec<StreamLeftOut>>,
    freed: Known<Vec<Freed>>,
}

/// Forgets an answer that rests on what stands in some files.
fn forget<T>(known: &mut Known<T>, is_edited: bool, files: &BTreeSet<FileId>) {
    if known.get().is_some_and(|it| is_edited || it.1.lie_in(files)) {
        *known = OnceLock::new();
    }
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

    pub(super) fn default_carriers_in(&self, unit: usize) -> &[DefaultCarrier] {
        let known = &self.texts[unit].default_carriers;
        &known
            .get_or_init(|| reads::of(|| self.default_carriers_of(unit)))
            .0
    }

    pub(super) fn streams_left_out_in(&self, unit: usize) -> &[StreamLeftOut] {
        let known = &self.texts[unit].left_out;
        &known
            .get_or_init(|| reads::of(|| self.streams_left_out_of(unit)))
            .0
    }

    pub(super) fn freed_in(&self, unit: usize) -> &[Freed] {
        let known = &self.texts[unit].freed;
        &known.get_or_init(|| reads::of(|| self.freed_of(unit))).0
    }

    /// Forgets what was read in some files; names of fields are declared, and stay.
    pub(super) fn forget_texts(&mut self, files: &BTreeSet<FileId>) {
        for (unit, text) in self.texts.iter_mut().enumerate() {
            let is_edited = files.contains(&FileId(unit as u32));
            forget(&mut text.occurrences, is_edited, files);
            forget(&mut text.made_elsewhere, is_edited, files);
            forget(&mut text.default_carriers, is_edited, files);
            forget(&mut text.left_out, is_edited, files);
            forget(&mut text.freed, is_edited, files);
        }
    }
}
