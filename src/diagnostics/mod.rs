//! What a rule says: findings, their locations, and how they are suppressed.

use std::sync::Arc;

use crate::syntax::Span;

pub mod baseline;
#[cfg(test)]
mod card;
pub mod edits;
pub mod evidence;
pub mod fingerprint;
pub mod picture;
pub mod rule;
pub mod similar;
pub mod source;
pub mod suppress;

/// How bad it is when the finding is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Wrong in some runs, or on some machines.
    Warning,
    /// Hangs, corrupts or fails.
    Error,
}

/// How sure the analysis is that the finding is true: computed from the assumptions taken on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Several assumptions, or a weak one.
    Low,
    /// One assumption that usually holds.
    Medium,
    /// Everything that matters was seen.
    High,
}

/// A place in a file, resolved to lines as late as possible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Path as the user will see it, `/`-separated.
    pub path: Arc<str>,
    /// Bytes in that file.
    pub span: Span,
}

/// One step of the story a finding tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it happens.
    pub location: Location,
    /// What happens there, lower case, no final dot.
    pub message: String,
    /// What a debugger saw there when the program was run.
    pub seen: Vec<String>,
}

impl Step {
    /// A step nobody has watched.
    pub fn new(location: Location, message: impl Into<String>) -> Self {
        Step {
            location,
            message: message.into(),
            seen: Vec::new(),
        }
    }

    /// What happens there, and what was seen of it.
    pub fn told(&self) -> String {
        let seen = self.seen.iter().map(|it| format!("; {it}"));
        std::iter::once(self.message.clone()).chain(seen).collect()
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's primary name, e.g. `spin-without-preload`.
    pub rule: &'static str,
    /// The rule's code, e.g. `CL102`.
    pub code: &'static str,
    /// Severity.
    pub severity: Severity,
    /// Confidence.
    pub confidence: Confidence,
    /// Where the finding is reported.
    pub primary: Location,
    /// First sentence, complete on its own; the user's own names in backticks.
    pub message: String,
    /// The cycle, in order; may cross files.
    pub steps: Vec<Step>,
    /// What to do.
    pub help: Option<String>,
    /// What a GPU did with this pattern, e.g. `measured on H100, driver 580, CUDA 13.0: hangs under LAZY, completes under EAGER`.
    pub evidence: Option<String>,
    /// Assumptions taken on the way; they lower the confidence.
    pub assumptions: Vec<String>,
    /// Preprocessor configuration the finding needs, e.g. ``when `USE_GRAPH` is defined``.
    pub configuration: Option<String>,
    /// A change of the source that removes the cause.
    pub fix: Option<Fix>,
    /// Who does what beside whom, and who waits for whom.
    pub picture: Option<Box<picture::Picture>>,
}

impl Finding {
    /// Every place a report marks: the primary one, then the steps in order.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        std::iter::once(&self.primary).chain(self.steps.iter().map(|step| &step.location))
    }

    /// Every place that is named anywhere in it: in fixes and in the picture, too.
    pub fn locations_mut(&mut self) -> impl Iterator<Item = &mut Location> {
        let steps = self.steps.iter_mut().map(|step| &mut step.location);
        let fixes = self.fix.iter_mut().flat_map(Fix::locations_mut);
        let picture = self.picture.iter_mut().flat_map(|it| it.locations_mut());
        std::iter::once(&mut self.primary)
            .chain(steps)
            .chain(fixes)
            .chain(picture)
    }
}

/// A change of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, e.g. ``preload `k2` before `k1` is launched``.
    pub title: String,
    /// Who may apply it.
    pub safety: Safety,
    /// What to replace; edits of one file do not overlap.
    pub edits: Vec<Edit>,
    /// What to try where the analysis of the result does not bear this one out.
    pub otherwise: Option<Box<Fix>>,
}

impl Fix {
    /// This fix and those to try instead of it, in order.
    pub fn all(&self) -> impl Iterator<Item = &Fix> {
        std::iter::successors(Some(self), |it| it.otherwise.as_deref())
    }

    /// Where any of them changes something.
    fn locations_mut(&mut self) -> Vec<&mut Location> {
        let mut places: Vec<&mut Location> = self.edits.iter_mut().map(|it| &mut it.location).collect();
        if let Some(otherwise) = &mut self.otherwise {
            places.extend(otherwise.locations_mut());
        }
        places
    }

    /// The first of some fixes, with the others to be tried behind it.
    pub fn first_of(fixes: Vec<Fix>) -> Option<Fix> {
        let link = |rest: Option<Fix>, mut fix: Fix| {
            fix.otherwise = rest.map(Box::new);
            Some(fix)
        };
        fixes.into_iter().rev().fold(None, link)
    }

    /// A fix and those to be tried instead of it, with another one behind them all.
    pub fn or(first: Option<Fix>, last: Option<Fix>) -> Option<Fix> {
        match first {
            None => last,
            Some(mut fix) => {
                fix.otherwise = Fix::or(fix.otherwise.map(|it| *it), last).map(Box::new);
                Some(fix)
            }
        }
    }
}

/// Who may apply a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// Anyone: the program means the same, always.
    Safe,
    /// Who asks for it: it is probably what was meant.
    Unsafe,
    /// Nobody but the reader: it is shown and never applied.
    DisplayOnly,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub location: Location,
    /// What to put there.
    pub replacement: String,
}

/// Puts findings in the order every report uses: path, span, rule, then message.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (&a.primary, a.rule, &a.message, &a.configuration).cmp(&(
            &b.primary,
            b.rule,
            &b.message,
            &b.configuration,
        ))
    });
}

impl Severity {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Confidence {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

impl Safety {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
            Safety::DisplayOnly => "display-only",
        }
    }
}
