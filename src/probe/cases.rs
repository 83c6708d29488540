//! Every case as data: what is done in which situation, what `rules/api.toml` predicts, what an H100 did.

use super::operations::{OPERATIONS, Operation};
use super::{capture, predict, scenes};

/// `CUDA_MODULE_LOADING`.
pub use crate::verify::Mode;

/// What cannot end before it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A kernel that spins on a flag.
    Kernel,
    /// `cuStreamWaitValue32` on the same flag.
    Wait,
}

/// Who releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// The host, right after the operation.
    Host,
    /// The host, once the other stream is idle.
    HostAfterSync,
    /// A loaded kernel (of a wait: a write value) in the other stream.
    Device,
}

/// A situation an operation is done in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// What waits.
    pub held: Held,
    /// What releases it.
    pub release: Release,
    /// Whether the streams wait for the legacy stream.
    pub blocking: bool,
    /// The letter M1 gives it.
    pub letter: Option<char>,
}

/// All situations, those of M1 first and in its order.
pub const FORMS: [Form; 9] = [
    Form::new(Held::Kernel, Release::Host, false, Some('K')),
    Form::new(Held::Kernel, Release::HostAfterSync, false, Some('P')),
    Form::new(Held::Kernel, Release::Device, false, Some('D')),
    Form::new(Held::Wait, Release::Device, false, Some('W')),
    Form::new(Held::Kernel, Release::Host, true, Some('k')),
    Form::new(Held::Wait, Release::Device, true, Some('w')),
    Form::new(Held::Kernel, Release::Device, true, None),
    Form::new(Held::Wait, Release::Host, false, None),
    Form::new(Held::Wait, Release::Host, true, None),
];

impl Form {
    const fn new(held: Held, release: Release, blocking: bool, letter: Option<char>) -> Self {
        Form {
            held,
            release,
            blocking,
            letter,
        }
    }

    /// What it is called in the names of cases.
    pub fn name(self) -> String {
        let held = match self.held {
            Held::Kernel => "kernel",
            Held::Wait => "wait",
        };
        let release = match self.release {
            Release::Host => "host",
            Release::HostAfterSync => "host-after-sync",
            Release::Device => "device",
        };
        let streams = if self.blocking { "blocking" } else { "non-blocking" };
        format!("{held}/{release}/{streams}")
    }

    /// The head of its column: the letter of M1, or short for its name.
    pub fn heading(self) -> String {
        match (self.letter, self.held, self.release, self.blocking) {
            (Some(letter), ..) => letter.to_string(),
            (None, held, release, blocking) => format!(
                "{}-{}{}",
                if held == Held::Kernel { "kernel" } else { "wait" },
                if release == Release::Host {
                    "host"
                } else {
                    "device"
                },
                if blocking { "-blocking" } else { "" }
            ),
        }
    }
}

/// What a case does.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// An operation in a situation.
    Operation(&'static Operation, Form),
    /// A kernel launched behind what cannot end, after some preparation.
    Scene(&'static scenes::Scene),
    /// A call while a stream captures.
    Capture(&'static capture::Call, capture::Strictness),
}

/// One case: one child process.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name: group, what is done, situation, loading mode.
    pub id: String,
    /// The measurement it repeats: `M1`, `M3`, …
    pub group: &'static str,
    /// What it does.
    pub work: Work,
    /// How modules are loaded.
    pub mode: Mode,
    /// What the table of calls predicts.
    pub predicted: Option<String>,
    /// What an H100 did.
    pub measured: Option<String>,
}

/// The groups, in order.
pub const GROUPS: [&str; 6] = ["M1", "M3", "M4", "M5", "M7", "M8"];

/// Every case, the most telling ones first; neighbours do different things, so that they can run side by side.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in Mode::ALL {
        for scene in scenes::SCENES {
            cases.push(Case {
                id: format!("{}/{}/{}", scene.group, scene.name, mode.as_str()),
                group: scene.group,
                work: Work::Scene(scene),
                mode,
                predicted: predict::scene(scene, mode),
                measured: Some(by_mode(scene.measured, mode).to_owned()),
            });
        }
    }
    for strictness in capture::Strictness::ALL {
        for call in capture::CALLS.iter().filter(|it| it.is_under(strictness)) {
            cases.push(Case {
                id: format!("M8/{}/{}", call.name, strictness.as_str()),
                group: "M8",
                work: Work::Capture(call, strictness),
                mode: Mode::Lazy,
                predicted: predict::capture(call, strictness),
                measured: call.measured(strictness).map(str::to_owned),
            });
        }
    }
    for (column, form) in FORMS.into_iter().enumerate() {
        for mode in Mode::ALL {
            for operation in OPERATIONS {
                let seen = operation.measured.split_whitespace().nth(column);
                cases.push(Case {
                    id: format!("M1/{}/{}/{}", operation.name, form.name(), mode.as_str()),
                    group: "M1",
                    work: Work::Operation(operation, form),
                    mode,
                    predicted: Some(predict::operation(operation, form, mode).to_owned()),
                    measured: seen
                        .filter(|it| *it != "-")
                        .map(|it| by_mode(it, mode).to_owned()),
                });
            }
        }
    }
    // Should time run out, what can be compared with an H100 is there.
    cases.sort_by_key(|it| it.measured.is_none());
    cases
}

/// The case of this name.
pub fn find(id: &str) -> Option<Case> {
    all().into_iter().find(|it| it.id == id)
}

/// One side of `LAZY/EAGER`.
fn by_mode(seen: &'static str, mode: Mode) -> &'static str {
    match (seen.split_once('/'), mode) {
        (Some((lazy, _)), Mode::Lazy) => lazy,
        (Some((_, eager)), Mode::Eager) => eager,
        (None, _) => seen,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::operations::OPERATIONS;
    use super::{FORMS, GROUPS, all};

    #[test]
    fn every_group_has_cases_and_no_two_share_a_name() {
        let cases = all();
        let names: BTreeSet<&str> = cases.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(names.len(), cases.len());
        for group in GROUPS {
            assert!(cases.iter().any(|it| it.group == group), "{group}");
        }
        let mut operations = OPERATIONS.iter().collect::<Vec<_>>();
        operations.retain(|it| it.measured.split_whitespace().count() == 6);
        assert_eq!(operations.len(), OPERATIONS.len());
        assert!(OPERATIONS.len() >= 60, "{}", OPERATIONS.len());
        let matrix = cases.iter().filter(|it| it.group == "M1").count();
        assert_eq!(matrix, OPERATIONS.len() * FORMS.len() * 2);
    }

    #[test]
    fn what_is_predicted_is_what_an_h100_did() {
        let wrong: Vec<String> = all()
            .iter()
            .filter_map(|it| Some((it, it.predicted.as_ref()?, it.measured.as_ref()?)))
            .filter(|(_, predicted, measured)| predicted != measured)
            .map(|(it, predicted, measured)| format!("{}: {predicted}, measured {measured}", it.id))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
