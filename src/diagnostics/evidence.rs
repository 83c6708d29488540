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
    let how_many = |some: usize, all: usize| match some == all {
        true => format!("all {all}"),
        false => format!("{some} of {all}"),
    };
    let machine = |it: &'static Measured| {
        let on = format!("on {}, driver {}, CUDA {}", it.gpu, it.driver, it.cuda);
        let fixed = how_many(it.fixed.0, it.fixed.1);
        let as_they_are = how_many(it.as_predicted(), it.of());
        match (it.of(), it.fixed.1) {
            (0, 0) => None,
            // Only what fixes do was tried there.
            (0, _) => Some(format!(
                "{fixed} sample programs of this rule that have a fix complete with it {on}"
            )),
            (_, 0) => Some(format!(
                "{as_they_are} sample programs of this rule behave as predicted {on}"
            )),
            _ => Some(format!(
                "{as_they_are} sample programs of this rule behave as predicted {on}, and {fixed} that have a fix complete with it"
            )),
        }
    };
    let machines: Vec<String> = of_rule(rule).filter_map(machine).collect();
    (!machines.is_empty()).then(|| machines.join("; "))
}

/// A hang that is predicted for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Whether loading all kernels at the start does not help.
    pub under_eager: bool,
}

impl Hang {
    const LAZY: &str =
        "predicted: hangs with lazy module loading (the default), completes with `CUDA_MODULE_LOADING=EAGER`";
    const BOTH: &str = "predicted: hangs with lazy module loading and with eager";

    /// The evidence line of a finding: the prediction, and what it rests on. The user's own program was not run.
    pub fn evidence(self, rule: &str) -> String {
        let prediction = if self.under_eager { Self::BOTH } else { Self::LAZY };
        let grounds = sentence(rule).unwrap_or_else(|| "not measured yet".to_owned());
        format!("{prediction}; {grounds}")
    }

    /// The hang a finding predicts.
    pub fn of(finding: &Finding) -> Option<Self> {
        let evidence = finding.evidence.as_deref()?;
        let under_eager = evidence.starts_with(Self::BOTH);
        (under_eager || evidence.starts_with(Self::LAZY)).then_some(Hang { under_eager })
    }
}
