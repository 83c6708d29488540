//! Whether an answer is right.

use cudalint::diagnostics::Severity;

use super::check::{Answer, Found};
use super::label::{Label, file_name};

/// Lines a report may be beside an accepted one.
const MARGIN: u32 = 2;

/// How an answer stands to a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Bad, and reported at an accepted place.
    Found,
    /// Bad, and not reported there.
    Missed,
    /// Clean, and no error or warning.
    Silent,
    /// Clean, and an error.
    Flagged,
    /// Clean, and a warning but no error.
    Warned,
}

/// Judges by errors and warnings with codes that count; notes are neither right nor wrong.
pub fn judge(label: &Label, answer: &Answer) -> Verdict {
    let hot = |severity| {
        let counting = answer.findings.iter().filter(|it| label.counts(it.summary.code));
        counting.filter(move |it| it.summary.severity >= severity)
    };
    let is_silent = hot(Severity::Warning).next().is_none();
    match label.bad {
        true if hot(Severity::Warning).any(|it| is_at_accepted_place(label, it)) => Verdict::Found,
        true => Verdict::Missed,
        false if is_silent => Verdict::Silent,
        false if hot(Severity::Error).next().is_some() => Verdict::Flagged,
        false => Verdict::Warned,
    }
}

/// Whether the main place or a step is near an accepted line of a file with that name.
fn is_at_accepted_place(label: &Label, found: &Found) -> bool {
    let near = |path: &str, line: u32| {
        let mut accepted = label.places();
        accepted.any(|(file, wanted)| file == file_name(path) && line.abs_diff(wanted) <= MARGIN)
    };
    label.lines.is_empty() || found.places.iter().any(|(path, line)| near(path, *line))
}
