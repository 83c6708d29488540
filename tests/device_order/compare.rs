//! Counts where analyser, GPU and reference agree, and names where they do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::analysis::{Analysis, Reported};
use super::generate::generate;
use super::outcomes::{Loading, Outcome, Record};
use super::program::{Op, Program, Work};
use super::reference::{Object, Reference, Trust, Unordered};
use super::{encode, render};

/// Everything that was compared.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Programs, and runs of them.
    pub programs: usize,
    /// Programs that are no longer what was run.
    pub changed: Vec<u64>,
    /// Loading, predicted to hang, hung → how many.
    pub hangs: BTreeMap<(Loading, bool, bool), usize>,
    /// Runs that did not do what was predicted.
    pub wrong: Vec<Wrong>,
    /// Values kept in memory without a race: as the reference says, and otherwise.
    pub kept: (usize, Vec<(u64, usize)>),
    /// Races, by what became of them.
    pub races: BTreeMap<Verdict, Vec<u64>>,
}

/// A run that did not do what was predicted.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The program.
    pub seed: u64,
    /// How it loaded.
    pub loading: Loading,
    /// What it did.
    pub hung: bool,
    /// What said that it hangs.
    pub codes: Vec<&'static str>,
}

/// How findings and reference go together. The first two are per finding, the others per object with a race.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A finding whose operations the reference does not order either.
    Confirmed(&'static str),
    /// A finding whose operations are ordered only by a wait for a value, which CUDA cannot see.
    ThroughFlag(&'static str),
    /// A finding whose operations the reference orders, or that do not conflict.
    Unconfirmed(&'static str),
    /// An object with a race and a finding that names it.
    Found,
    /// An object with a race, in a program with a finding that says why: an event is waited for before it is recorded.
    Explained,
    /// A race that no finding names, and what is particular about it.
    Missed(Missed),
}

/// Why a race may not have been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missed {
    /// It is none where copies from and to pageable memory are complete when their calls return, as measured.
    Pageable,
    /// Two host threads enqueue the two.
    Threads,
    /// Work waits for other work in the program.
    Waits,
    /// Another race of the same operation is reported.
    SameOperation,
    /// Nothing of these.
    Plain,
}

impl Comparison {
    /// Compares one program.
    pub fn add(&mut self, record: &Record) {
        let program = generate(record.seed);
        let source = render::render(&program);
        self.programs += 1;
        if encode::fingerprint(&program, &source) != record.fingerprint {
            self.changed.push(record.seed);
            return;
        }
        let analysis = Analysis::new(&source);
        let mut may_hang = false;
        for (loading, outcome) in &record.runs {
            let codes = analysis.hangs(*loading);
            let hung = *outcome == Outcome::Hang;
            may_hang |= !codes.is_empty();
            *self.hangs.entry((*loading, !codes.is_empty(), hung)).or_default() += 1;
            if hung == codes.is_empty() {
                self.wrong.push(Wrong {
                    seed: record.seed,
                    loading: *loading,
                    hung,
                    codes: codes.into_iter().collect(),
                });
            }
        }
        let reference = Reference::new(&program, Trust::DOCUMENTED);
        self.add_kept(record, &reference, program.host_slots.len());
        if record.always_ends() && !may_hang {
            let reported = analysis.races(Loading::Lazy);
            self.add_races(record.seed, &program, &reference.unordered(), &reported);
        }
    }

    fn add_kept(&mut self, record: &Record, reference: &Reference, slots: usize) {
        let expected = reference.kept(slots);
        for (_, outcome) in &record.runs {
            let Outcome::Done(values) = outcome else { continue };
            assert_eq!(values.len(), slots, "seed {}", record.seed);
            for (slot, (value, expected)) in values.iter().zip(&expected).enumerate() {
                match expected {
                    Some(it) if it == value => self.kept.0 += 1,
                    Some(_) => self.kept.1.push((record.seed, slot)),
                    None => {}
                }
            }
        }
    }

    fn add_races(&mut self, seed: u64, program: &Program, unordered: &[Unordered], reported: &[Reported]) {
        let mut note = |verdict: Verdict| self.races.entry(verdict).or_default().push(seed);
        let without_flags = Reference::new(program, Trust::NO_FLAGS).unordered();
        let measured = Reference::new(program, Trust::MEASURED).unordered();
        let names = |finding: &Reported, race: &Unordered| {
            let marks = |places: &[_]| places.iter().any(|it| finding.places.contains(it));
            marks(&race.first) && marks(&race.second)
        };
        for finding in reported {
            let confirmed = unordered.iter().any(|race| names(finding, race)) || finding.code == "CL202";
            note(if confirmed {
                Verdict::Confirmed(finding.code)
            } else if without_flags.iter().any(|race| names(finding, race)) {
                Verdict::ThroughFlag(finding.code)
            } else {
                Verdict::Unconfirmed(finding.code)
            });
        }
        let objects: BTreeSet<Object> = unordered.iter().map(|it| it.object).collect();
        for object in objects {
            let races: Vec<&Unordered> = unordered.iter().filter(|it| it.object == object).collect();
            let found = races
                .iter()
                .any(|race| reported.iter().any(|finding| names(finding, race)));
            note(if found {
                Verdict::Found
            } else if reported.iter().any(|it| it.code == "CL202") {
                Verdict::Explained
            } else if !measured.iter().any(|it| it.object == object) {
                Verdict::Missed(Missed::Pageable)
            } else {
                Verdict::Missed(particular(program, &races, reported))
            });
        }
    }
}

fn particular(program: &Program, races: &[&Unordered], reported: &[Reported]) -> Missed {
    let thread = |race: &Unordered| race.first[0].0 != race.second[0].0;
    let waits = |op: Op| {
        matches!(
            op,
            Op::WaitValue { .. }
                | Op::Poll { .. }
                | Op::Launch {
                    work: Work::Spin { .. } | Work::Relay { .. },
                    ..
                }
        )
    };
    let same_operation = |race: &Unordered| {
        let mut places = race.first.iter().chain(&race.second);
        places.any(|place| reported.iter().any(|it| it.places.contains(place)))
    };
    if races.iter().all(|it| thread(it) || it.unspecified) {
        Missed::Threads
    } else if races.iter().all(|it| same_operation(it) || it.unspecified) {
        Missed::SameOperation
    } else if program.operations().any(|(_, _, op)| waits(op)) {
        Missed::Waits
    } else {
        Missed::Plain
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} changed since they were run",
            self.programs,
            self.changed.len()
        )?;
        writeln!(f, "\nloading  predicted  did     runs")?;
        for ((loading, predicted, hung), count) in &self.hangs {
            let name = |hangs: bool| if hangs { "hang" } else { "end" };
            let loading = format!("{loading:?}");
            writeln!(
                f,
                "{loading:<8} {:<10} {:<6} {count:>5}",
                name(*predicted),
                name(*hung)
            )?;
        }
        for it in &self.wrong {
            let did = if it.hung { "hung" } else { "ended" };
            writeln!(
                f,
                "  seed {} {:?}: {did}, predicted {:?}",
                it.seed, it.loading, it.codes
            )?;
        }
        writeln!(
            f,
            "\nvalues in memory without a race: {} as the reference says, {} not",
            self.kept.0,
            self.kept.1.len()
        )?;
        writeln!(f, "\nraces")?;
        for (verdict, seeds) in &self.races {
            let examples: Vec<String> = seeds.iter().take(6).map(ToString::to_string).collect();
            let name = format!("{verdict:?}");
            writeln!(
                f,
                "{name:<28} {:>5}   seeds {} ...",
                seeds.len(),
                examples.join(" ")
            )?;
        }
        Ok(())
    }
}
