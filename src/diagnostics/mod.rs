//! What a rule says: findings, their locations, and how they are suppressed.

use std::sync::Arc;

use crate::syntax::Span;

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
}
