//! The rules this binary knows, until their cards are compiled in.

use crate::diagnostics::{Confidence, Severity};

/// A rule's metadata.
#[derive(Debug)]
pub struct Rule {
    /// Primary name.
    pub name: &'static str,
    /// Code.
    pub code: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Group.
    pub group: &'static str,
    /// Default severity.
    pub severity: Severity,
    /// Usual confidence.
    pub confidence: Confidence,
    /// Maturity.
    pub status: Status,
    /// Former names.
    pub aliases: &'static [&'static str],
    /// The card.
    pub card: &'static str,
}

/// Maturity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]

pub enum Status {
    /// Runs by default.
    Stable,
    /// Runs with `--preview`.
    Preview,
}

const fn rule(name: &'static str, code: &'static str, group: &'static str) -> Rule {
    Rule {
        name,
        code,
        summary: "",
        group,
        severity: Severity::Error,
        confidence: Confidence::High,
        status: Status::Stable,
        aliases: &[],
        card: "",
    }
}

/// Every rule, by code.
pub static RULES: &[Rule] = &[
    rule("wait-before-write", "CL101", "hang"),
    rule("spin-without-preload", "CL102", "hang"),
    rule("first-launch-behind-resident", "CL103", "hang"),
    rule("blocking-call-behind-resident", "CL104", "hang"),
    rule("release-behind-wait", "CL105", "hang"),
    rule("host-wait-before-release", "CL106", "hang"),
    rule("preload-defeated", "CL107", "hang"),
    rule("unused-suppression", "", "suppressions"),
];
