//! What was recorded about the fixtures of each rule (`rules/evidence/`), and the evidence line of a finding.

use super::Finding;

/// What the fixtures of one rule did on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The rule.
    pub rule: &'static str,
    /// Model of the GPU, e.g. `H100`.
    pub gpu: &'static str,
    /// Branch of the driver, e.g. `580`.
    pub driver: &'static str,
    /// Version of CUDA, e.g. `13.0`.
    pub cuda: &'static str,
    /// Fewest trials of a fixture in each loading mode.
    pub trials: usize,
    /// Bad fixtures that did what was predicted, in every trial and both modes; and how many were run.
    pub bad: (usize, usize),
    /// The same of good ones.
    pub good: (usize, usize),
    /// Bad fixtures that completed once they were fixed; and how many were fixed and run.
    pub fixed: (usize, usize),
}

impl Measured {
    /// Fixtures that did what was predicted.
    pub fn as_predicted(&self) -> usize {
        self.bad.0 + self.good.0
    }

    /// Fixtures that were run.
    pub fn of(&self) -> usize {
        self.bad.1 + self.good.1
    }
}

include!(concat!(env!("OUT_DIR"), "/evidence.rs"));

/// What was recorded about a rule, one entry per machine.
pub fn of_rule(rule: &str) -> impl Iterator<Item = &'static Measured> {
    MEASURED.iter().filter(move |it| it.rule == rule)
}

/// The evidence for a rule in half a sentence; `None` when nothing was recorded.
pub fn sentence(rule: &str) -> Option<String> {
    match told(rule, "sample programs of this rule behave as predicted") {
        None if of_rule(rule).any(|it| it.fixed.1 > 0) => {
            Some("sample programs of this rule complete when they are fixed".to_owned())
        }
        told => told,
    }
}

/// How many samples did what was predicted, machine by machine: "all 12 samples agree on H100, all 3 on H200". Machines on
/// which only fixes were tried are left out; the card names them.
fn told(rule: &str, what: &str) -> Option<String> {
    let how_many = |it: &Measured| match it.as_predicted() == it.of() {
        true => format!("all {}", it.of()),
        false => format!("{} of {}", it.as_predicted(), it.of()),
    };
    let machines = of_rule(rule).filter(|it| it.of() > 0).enumerate();
    let machines: Vec<String> = machines
        .map(|(index, it)| match index {
            0 => format!("{} {what} on {}", how_many(it), it.gpu),
            _ => format!("{} on {}", how_many(it), it.gpu),
        })
        .collect();
    (!machines.is_empty()).then(|| machines.join(", "))
}

/// A hang that is predicted for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Whether loading all kernels at the start does not help.
    pub under_eager: bool,
}

impl Hang {
    const LAZY: &str = "predicted: hangs under lazy loading (the default), not eager";
    const BOTH: &str = "predicted: hangs under lazy module loading and under eager";

    /// The evidence line of a finding: the prediction, and what it rests on. The user's own program was not run.
    pub fn evidence(self, rule: &str) -> String {
        let prediction = if self.under_eager { Self::BOTH } else { Self::LAZY };
        let grounds = told(rule, "samples agree").unwrap_or_else(|| "not measured yet".to_owned());
        format!("{prediction}; {grounds}")
    }

    /// The hang a finding predicts.
    pub fn of(finding: &Finding) -> Option<Self> {
        let evidence = finding.evidence.as_deref()?;
        let under_eager = evidence.starts_with(Self::BOTH);
        (under_eager || evidence.starts_with(Self::LAZY)).then_some(Hang { under_eager })
    }
}
