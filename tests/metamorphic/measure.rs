//! What the rules say of a variant against what they say of the program as it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cudalint::rules::Outcome;

use super::change::Variant;
use super::code::Code;
use super::dice::Dice;
use super::programs::Program;
use super::rewrites::Rewrite;
use crate::harness::{self, Expectation};

/// Where a finding is: file and start of the statement in the program as it was written; `None` in text that a rewrite added.
type Place = Option<(usize, usize)>;

/// What must stay: severity and confidence, by rule and place.
pub type Answer = BTreeMap<(String, Place), (String, String)>;

/// A program with what the rules say of it.
pub struct Subject {
    /// The program.
    pub program: Program,
    /// Its trees.
    pub code: Code,
    /// What is found in it.
    pub answer: Answer,
    /// What its marks expect.
    expected: BTreeSet<Expectation>,
}

impl Subject {
    /// Reads a program; `None` when it cannot be parsed.
    pub fn new(program: Program) -> Option<Self> {
        let code = Code::parse(&program.files)?;
        let outcome = harness::analyse(&program.files);
        let place = |path: &str, offset: usize| {
            let file = code.units.iter().position(|it| it.path == path)?;
            Some((file, offset))
        };
        let answer = answer(&code, &outcome, place);
        let expected = harness::expectations(&program.files);
        Some(Subject {
            program,
            code,
            answer,
            expected,
        })
    }

    /// A variant of it: the same for the same seed and number.
    pub fn variant(&self, rewrite: &Rewrite, seed: u64, number: u32) -> Option<Variant> {
        let mut dice = Dice::new(seed, &[rewrite.name, &self.program.name], number);
        let change = (rewrite.edit)(&self.code, &mut dice)?;
        Some(change.apply(&self.code))
    }

    /// What the rules make of a variant.
    pub fn judge(&self, variant: &Variant) -> Verdict {
        let outcome = harness::analyse(&variant.files);
        let actual = answer(&self.code, &outcome, |path, offset| variant.origin(path, offset));
        let mut verdict = Verdict {
            marks: self.expected.len(),
            met: self.expected.iter().filter(|it| self.meets(it, &actual)).count(),
            ..Verdict::default()
        };
        for (key, said) in &self.answer {
            match actual.get(key) {
                Some(now) if now == said => verdict.kept.push(self.describe(key, said)),
                Some(now) => {
                    verdict
                        .changed
                        .push(format!("{} is now {} {}", self.describe(key, said), now.0, now.1))
                }
                None => verdict.lost.push(self.describe(key, said)),
            }
        }
        for (key, said) in &actual {
            if !self.answer.contains_key(key) {
                verdict.new.push(self.describe(key, said));
            }
        }
        verdict
    }

    fn meets(&self, mark: &Expectation, actual: &Answer) -> bool {
        actual.iter().any(|((rule, place), (severity, _))| {
            let Some((file, offset)) = place else { return false };
            let unit = &self.code.units[*file];
            // A mark stands on the line of the finding; the place is where its statement starts.
            let line = unit.bytes[..*offset].iter().filter(|it| **it == b'\n').count() as u32 + 1;
            *rule == mark.3
                && unit.path == mark.0
                && line <= mark.1
                && self.ends(*file, *offset) >= mark.1
                && mark.2.as_ref().is_none_or(|it| it == severity)
        })
    }

    /// Line in which the statement that starts at an offset ends.
    fn ends(&self, file: usize, offset: usize) -> u32 {
        let unit = &self.code.units[file];
        let mut end = offset;
        let mut node = unit
            .tree
            .root_node()
            .descendant_for_byte_range(offset, offset + 1);
        while let Some(it) = node.filter(|it| it.start_byte() == offset) {
            if it.kind() != "translation_unit" {
                end = it.end_byte();
            }
            node = it.parent();
        }
        unit.bytes[..end].iter().filter(|it| **it == b'\n').count() as u32 + 1
    }

    fn describe(&self, key: &(String, Place), said: &(String, String)) -> String {
        let place = key.1.map_or_else(
            || "in text that the rewrite added".to_owned(),
            |(file, offset)| {
                let unit = &self.code.units[file];
                let line = unit.bytes[..offset].iter().filter(|it| **it == b'\n').count() + 1;
                let text = unit.slice(unit.line_start(offset)..unit.bytes.len());
                format!(
                    "{}:{line}: {}",
                    unit.path,
                    text.lines().next().unwrap_or("").trim()
                )
            },
        );
        format!("{} {} {} at {place}", said.0, said.1, key.0)
    }
}

/// What became of a program's findings.
#[derive(Default)]
pub struct Verdict {
    /// Found as before.
    pub kept: Vec<String>,
    /// Not found any more.
    pub lost: Vec<String>,
    /// Found with another severity or confidence.
    pub changed: Vec<String>,
    /// Not found before.
    pub new: Vec<String>,
    /// Marks in the program as it was written, and those that a finding meets in the variant.
    pub marks: usize,
    /// See `marks`.
    pub met: usize,
}

impl Verdict {
    /// Whether the answer is the same.
    pub fn stays(&self) -> bool {
        self.lost.is_empty() && self.changed.is_empty() && self.new.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            ("lost", &self.lost),
            ("changed", &self.changed),
            ("new", &self.new),
        ];
        for (kind, findings) in kinds {
            for it in findings {
                writeln!(f, "  {kind}: {it}")?;
            }
        }
        Ok(())
    }
}

fn answer(code: &Code, outcome: &Outcome, place: impl Fn(&str, usize) -> Place) -> Answer {
    let mut answer = Answer::new();
    for it in &outcome.findings {
        let place = place(&it.primary.path, it.primary.span.start as usize)
            .map(|(file, offset)| (file, code.statement_start(file, offset)));
        let said = (
            format!("{:?}", it.severity).to_lowercase(),
            format!("{:?}", it.confidence).to_lowercase(),
        );
        answer.insert((it.rule.to_owned(), place), said);
    }
    answer
}
