//! What came out of a verification: a table for people, JSON for programs, a record to keep.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::compiler::Compiler;
use super::gpu::Gpu;
use super::program::Program;
use super::record::{FixedRecord, FixtureRecord, Record, VERSION};
use super::run::{Plan, ProgramReport};
use super::verdict::Verdict;

/// The columns of the table.
const VERDICTS: [Verdict; 5] = [
    Verdict::Confirmed,
    Verdict::NotReproduced,
    Verdict::Inconclusive,
    Verdict::BuildFailure,
    Verdict::Skipped,
];

/// Everything a run found out.
pub struct Report<'a> {
    /// Where.
    pub gpu: Option<&'a Gpu>,
    /// With what.
    pub compiler: &'a Compiler,
    /// How.
    pub plan: &'a Plan,
    /// What each program did.
    pub programs: &'a [ProgramReport],
    /// The fixtures as they are without a fix, when the programs are fixed ones.
    pub originals: Option<&'a [Program]>,
}

impl Report<'_> {
    /// Whether something is not as predicted.
    pub fn has_surprises(&self) -> bool {
        self.programs
            .iter()
            .any(|it| !matches!(it.verdict, Verdict::Confirmed | Verdict::Skipped))
    }

    /// Counts by rule, then everything that is not as predicted.
    pub fn to_text(&self) -> String {
        let table = match self.originals {
            None => self.verdicts(),
            Some(originals) => self.before_and_after(originals),
        };
        let mut text = format!("{}\n\n{table}", self.title());
        let surprising = |it: &&ProgramReport| it.verdict != Verdict::Confirmed || !it.seen.is_empty();
        for it in self.programs.iter().filter(surprising) {
            text.push('\n');
            text.push_str(&it.to_text());
        }
        text
    }

    /// How many programs of each rule did what was predicted.
    fn verdicts(&self) -> String {
        let mut rows: BTreeMap<(&str, bool), [usize; 5]> = BTreeMap::new();
        for it in self.programs {
            let row = rows.entry((it.program.rule(), !it.program.is_bad())).or_default();
            row[column(it.verdict)] += 1;
        }
        let kind = |is_good: bool| if is_good { "good" } else { "bad" };
        let lines: Vec<_> = rows
            .iter()
            .map(|((rule, is_good), row)| (*rule, kind(*is_good), *row))
            .collect();
        let heads = VERDICTS.map(Verdict::as_str);
        table("fixtures", heads, &lines)
    }

    /// How many programs of each rule hang without their fixes, and complete with them.
    fn before_and_after(&self, originals: &[Program]) -> String {
        let mut rows: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
        for it in self.programs {
            let original = originals.iter().find(|original| original.name == it.program.name);
            let hangs = original.is_some_and(|it| it.expectation.lazy.allows("hang"));
            let row = rows.entry(it.program.rule()).or_default();
            row[0] += usize::from(hangs);
            row[1] += usize::from(it.verdict == Verdict::Confirmed);
            row[2] += usize::from(matches!(
                it.verdict,
                Verdict::NotReproduced | Verdict::Inconclusive
            ));
            row[3] += usize::from(matches!(it.verdict, Verdict::BuildFailure | Verdict::Skipped));
        }
        let done = match self.plan.compile_only {
            true => "compiles after",
            false => "completes after",
        };
        let lines: Vec<_> = rows.iter().map(|(rule, row)| (*rule, "fixed", *row)).collect();
        table(
            "fixtures",
            ["hangs before", done, "does not", "was not run"],
            &lines,
        )
    }

    /// The same for programs.
    pub fn to_json(&self) -> String {
        let count = |verdict: &Verdict| self.programs.iter().filter(|it| it.verdict == *verdict).count();
        let counts: BTreeMap<Verdict, usize> = VERDICTS.iter().map(|it| (*it, count(it))).collect();
        let programs: Vec<Value> = self.programs.iter().map(|it| self.program_to_json(it)).collect();
        let value = json!({
            "version": 1,
            "gpu": self.gpu.map(|it| &it.name),
            "gpus": self.gpu.map(|it| it.count),
            "driver": self.gpu.map(|it| &it.driver),
            "cuda": self.compiler.cuda,
            "nvcc": self.compiler.version,
            "architecture": self.compiler.architecture,
            "trials": self.plan.trials,
            "timeoutSeconds": self.plan.timeout.as_secs_f64(),
            "programs": programs,
            "summary": counts,
        });
        format!("{value:#}\n")
    }

    /// A program; a fixed one with what was predicted for it before.
    fn program_to_json(&self, report: &ProgramReport) -> Value {
        let mut value = report.to_json();
        let mut originals = self.originals.into_iter().flatten();
        if let Some(original) = originals.find(|it| it.name == report.program.name) {
            let (lazy, eager) = (&original.expectation.lazy, &original.expectation.eager);
            value["before"] = json!({ "LAZY": lazy.to_string(), "EAGER": eager.to_string() });
        }
        value
    }

    /// What to keep of the fixtures that ran.
    pub fn to_record(&self) -> Record {
        let ran = self
            .programs
            .iter()
            .filter(|it| !it.lazy.is_empty() || !it.eager.is_empty());
        let fixtures = ran.clone().map(|it| {
            let record = FixtureRecord {
                expected: it.program.expectation.to_string(),
                source: it.program.code.clone(),
                lazy: it.lazy.clone(),
                eager: it.eager.clone(),
                seconds: it.seconds.clone(),
                fixed: None,
            };
            (it.program.name.clone(), record)
        });
        let fixtures: BTreeMap<String, FixtureRecord> = match self.originals {
            Some(originals) => fixes(ran, originals).collect(),
            None => fixtures.collect(),
        };
        Record {
            version: VERSION,
            gpu: self.gpu.map_or("no GPU".to_owned(), |it| it.name.clone()),
            driver: self.gpu.map_or_else(String::new, |it| it.driver.clone()),
            cuda: self.compiler.cuda.clone(),
            nvcc: self.compiler.version.clone(),
            architecture: self.compiler.architecture.clone(),
            timeout_seconds: self.plan.timeout.as_secs_f64(),
            complete: false,
            fixtures,
        }
    }

    fn title(&self) -> String {
        let gpu = self.gpu.map_or("no GPU".to_owned(), Gpu::to_string);
        let (cuda, architecture) = (&self.compiler.cuda, &self.compiler.architecture);
        let how = match (self.plan.compile_only, self.plan.trials) {
            (true, _) => "compiled only".to_owned(),
            (false, 1) => "1 trial in each loading mode".to_owned(),
            (false, trials) => format!("{trials} trials in each loading mode"),
        };
        format!("{gpu}, CUDA {cuda}, {architecture}: {how}")
    }
}

impl ProgramReport {
    /// One line, and what else is known.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}: {}: {}\n",
            self.program.name,
            self.verdict.as_str(),
            self.detail
        );
        for seen in &self.seen {
            let _ = writeln!(text, "  {}", seen.text);
        }
        for line in self.output.lines() {
            let _ = writeln!(text, "  | {line}");
        }
        text
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.program.name,
            "expected": { "LAZY": self.program.expectation.lazy.to_string(), "EAGER": self.program.expectation.eager.to_string() },
            "observed": { "LAZY": self.lazy, "EAGER": self.eager },
            "seconds": self.seconds,
            "verdict": self.verdict,
            "detail": self.detail,
            "seen": self.seen.iter().map(|it| &it.text).collect::<Vec<_>>(),
            "output": self.output,
        })
    }
}

/// Counts in columns, and their sums.
fn table<const N: usize>(kind: &str, heads: [&str; N], lines: &[(&str, &str, [usize; N])]) -> String {
    let widest = lines.iter().map(|(rule, ..)| rule.len()).max().unwrap_or(0);
    let width = widest.max("rule".len());
    let mut text = format!("{:width$}  {kind}", "rule");
    for head in heads {
        let _ = write!(text, "  {head}");
    }
    text.push('\n');
    let total = lines.iter().fold([0; N], |sum, (_, _, row)| {
        std::array::from_fn(|index| sum[index] + row[index])
    });
    let of_kind = kind.len();
    for (rule, kind, row) in lines.iter().copied().chain([("all", "", total)]) {
        let _ = write!(text, "{rule:width$}  {kind:of_kind$}");
        for (head, count) in heads.iter().zip(row) {
            let cell = match count {
                0 => "-".to_owned(),
                count => count.to_string(),
            };
            let _ = write!(text, "  {cell:>width$}", width = head.len());
        }
        text.push('\n');
    }
    text
}

/// What is recorded of fixed programs, under the names and codes of the fixtures they were made of.
fn fixes<'a>(
    ran: impl Iterator<Item = &'a ProgramReport>,
    originals: &'a [Program],
) -> impl Iterator<Item = (String, FixtureRecord)> {
    ran.filter_map(|it| {
        let original = originals
            .iter()
            .find(|original| original.name == it.program.name)?;
        let fixed = FixedRecord {
            source: it.program.code.clone(),
            lazy: it.lazy.clone(),
            eager: it.eager.clone(),
        };
        let record = FixtureRecord {
            expected: original.expectation.to_string(),
            source: original.code.clone(),
            fixed: Some(fixed),
            ..FixtureRecord::default()
        };
        Some((original.name.clone(), record))
    })
}

fn column(verdict: Verdict) -> usize {
    VERDICTS.iter().position(|it| *it == verdict).unwrap_or(0)
}
