//! Programs nobody wrote for a rule, each with a label: what `cudalint check` says of them, alone and as one project.
//!
//! The test and the bench share this. Every answer comes from the project layer with the settings of the command: alone as
//! `cudalint check --isolated [-D…] .` in the program's folder, in one project as `cudalint check .` in the project's root or in the
//! program's folder. A test compares them with what the binary prints.

pub mod budget;
pub mod check;
pub mod judge;
pub mod label;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use budget::{Entry, Kind};
use check::{Answer, OneProject, alone};
use judge::{Verdict, judge};
use label::{Program, Set};

/// What came out for a set.
pub struct Measured {
    /// The programs.
    pub set: Set,
    /// What is said of each alone, in the order of the programs.
    pub alone: Vec<Answer>,
    /// What is said of each when all are one project, from its root.
    pub together: Vec<Answer>,
    /// What is said of each from inside its folder in that project; only of those that were asked for.
    pub inside: BTreeMap<usize, Answer>,
}

/// Runs a set alone, as one project, and from inside those programs of the project that `is_asked` says, by index.
pub fn measure(set: Set, is_asked: impl Fn(usize) -> bool + Sync) -> Measured {
    let alone = set.programs.par_iter().map(alone).collect();
    let project = OneProject::new(&set);
    let together = project.at_root(&set);
    let inside = (0..set.programs.len())
        .into_par_iter()
        .filter(|index| is_asked(*index))
        .map(|index| (index, project.inside(&set.programs[index])))
        .collect();
    Measured {
        set,
        alone,
        together,
        inside,
    }
}

impl Measured {
    /// The programs with what is said of each alone.
    pub fn answers(&self) -> impl Iterator<Item = (&Program, &Answer)> {
        self.set.programs.iter().zip(&self.alone)
    }

    /// Everything that should be otherwise.
    pub fn failures(&self) -> BTreeSet<Entry> {
        let mut failures = BTreeSet::new();
        for (index, (program, answer)) in self.answers().enumerate() {
            let mut add = |kind| failures.insert(Entry::new(&self.set.name, kind, &program.name));
            match judge(&program.label, answer) {
                Verdict::Found | Verdict::Silent => {}
                Verdict::Missed => drop(add(Kind::Missed)),
                Verdict::Flagged => drop(add(Kind::Flagged)),
                Verdict::Warned => drop(add(Kind::Warned)),
            }
            let together = &self.together[index];
            if together.summary() != answer.summary() {
                add(Kind::Together);
            }
            if let Some(inside) = self.inside.get(&index)
                && inside.summary() != together.summary()
            {
                add(Kind::Inside);
            }
        }
        failures
    }

    /// What there is to know about a failure.
    pub fn details(&self, entry: &Entry) -> String {
        let programs = &self.set.programs;
        let Some(index) = programs.iter().position(|it| it.name == entry.name) else {
            return String::new();
        };
        let label = &programs[index].label;
        let (alone, together) = (&self.alone[index], &self.together[index]);
        match entry.kind {
            Kind::Missed => format!("{} at {:?}; {}", label.family, label.lines, alone.hot()),
            Kind::Flagged | Kind::Warned => alone.hot(),
            Kind::Together => check::difference("alone", alone, "together", together),
            Kind::Inside => self.inside.get(&index).map_or_else(String::new, |inside| {
                check::difference("from the root", together, "from inside", inside)
            }),
        }
    }
}
