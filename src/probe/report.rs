//! What the cases came to: a table for people, JSON for programs, and where a machine differs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::cases::{Case, FORMS, GROUPS, Work};
use super::operations::OPERATIONS;
use super::predict::agrees;
use super::record::Machine;
use super::run::{FAILED, Results};
use crate::verify::Mode;

/// Everything a probe found out.
pub struct Report<'a> {
    /// Where.
    pub machine: &'a Machine,
    /// What was asked for.
    pub cases: &'a [Case],
    /// What was seen.
    pub results: &'a Results,
}

impl Report<'_> {
    /// Whether this machine does something else than `rules/api.toml` says, or than an H100 did.
    pub fn has_differences(&self) -> bool {
        let all = [|it: &Case| it.predicted.clone(), |it: &Case| it.measured.clone()];
        all.iter()
            .any(|expected| self.differences(expected).next().is_some())
    }

    /// For people: the matrix, the other groups, the differences.
    pub fn to_text(&self) -> String {
        let seen = self.cases.iter().filter(|it| self.outcome(it).is_some()).count();
        let Machine { gpu, driver, .. } = self.machine;
        let place = match gpu.is_empty() {
            true => "no GPU".to_owned(),
            false => format!("{gpu}, driver {driver}"),
        };
        let mut text = format!("{place}: {seen} of {} cases\n", self.cases.len());
        self.write_matrix(&mut text);
        for group in &GROUPS[1..] {
            self.write_group(&mut text, group);
        }
        self.write_failures(&mut text);
        self.write_differences(&mut text, "rules/api.toml", "predicted", |it| {
            it.predicted.clone()
        });
        self.write_differences(&mut text, "what an H100 did", "measured", |it| {
            it.measured.clone()
        });
        text
    }

    /// The same for programs.
    pub fn to_json(&self) -> String {
        let cases: Vec<Value> = self
            .cases
            .iter()
            .map(|case| {
                let seen = self.results.get(&case.id);
                json!({
                    "case": case.id,
                    "observed": seen.map(|it| &it.outcome),
                    "milliseconds": seen.map(|it| it.milliseconds),
                    "detail": seen.map(|it| &it.detail),
                    "predicted": case.predicted,
                    "measured": case.measured,
                })
            })
            .collect();
        let names = |it: Vec<&Case>| it.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
        let predicted = self.differences(|it| it.predicted.clone()).collect();
        let measured = self.differences(|it| it.measured.clone()).collect();
        let value = json!({
            "version": 1,
            "gpu": self.machine.gpu,
            "driver": self.machine.driver,
            "cases": cases,
            "differsFromApi": names(predicted),
            "differsFromMeasured": names(measured),
        });
        format!("{value:#}\n")
    }

    fn outcome(&self, case: &Case) -> Option<&str> {
        self.results.get(&case.id).map(|it| it.outcome.as_str())
    }

    /// Cases that were seen to come to something else than expected.
    fn differences(&self, expected: impl Fn(&Case) -> Option<String>) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(move |case| {
            let seen = self.outcome(case).filter(|it| *it != FAILED);
            seen.zip(expected(case))
                .is_some_and(|(seen, expected)| !agrees(seen, &expected))
        })
    }

    fn write_matrix(&self, text: &mut String) {
        let rows: Vec<Vec<String>> = OPERATIONS
            .iter()
            .filter_map(|operation| {
                let cells: Vec<String> = (0..FORMS.len())
                    .map(|form| self.cell(operation.name, form))
                    .collect();
                let is_empty = cells.iter().all(String::is_empty);
                (!is_empty).then(|| [vec![operation.name.to_owned()], cells].concat())
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        text.push_str(
            "\nM1: behind a spinning kernel (K: released by the host, P: once the other stream is idle, D: by a kernel) or a wait value (W); k, w: blocking streams; LAZY/EAGER\n",
        );
        let head = std::iter::once("operation".to_owned()).chain(FORMS.map(super::cases::Form::heading));
        write_table(text, &[vec![head.collect()], rows].concat());
    }

    /// What an operation did in a situation, in both modes.
    fn cell(&self, operation: &str, form: usize) -> String {
        let seen = |mode: Mode| {
            let id = format!("M1/{operation}/{}/{}", FORMS[form].name(), mode.as_str());
            self.results.get(&id).map(|it| it.outcome.clone())
        };
        match (seen(Mode::Lazy), seen(Mode::Eager)) {
            (Some(lazy), Some(eager)) if lazy == eager => lazy,
            (Some(lazy), Some(eager)) => format!("{lazy}/{eager}"),
            (Some(lazy), None) => format!("{lazy}/"),
            (None, Some(eager)) => format!("/{eager}"),
            (None, None) => String::new(),
        }
    }

    fn write_group(&self, text: &mut String, group: &str) {
        let rows: Vec<Vec<String>> = self
            .cases
            .iter()
            .filter(|case| case.group == group && !matches!(case.work, Work::Operation(..)))
            .filter_map(|case| Some(vec![case.id.clone(), self.outcome(case)?.to_owned()]))
            .collect();
        if !rows.is_empty() {
            text.push('\n');
            write_table(text, &rows);
        }
    }

    /// Cases that could not be done.
    fn write_failures(&self, text: &mut String) {
        let failed = self
            .cases
            .iter()
            .filter_map(|case| Some((case, self.results.get(&case.id)?)))
            .filter(|(_, seen)| seen.outcome == FAILED);
        for (index, (case, seen)) in failed.enumerate() {
            if index == 0 {
                text.push_str("\nthese could not be done:\n");
            }
            let _ = writeln!(text, "  {}: {}", case.id, seen.detail);
        }
    }

    fn write_differences(
        &self,
        text: &mut String,
        from: &str,
        verb: &str,
        expected: impl Fn(&Case) -> Option<String> + Copy,
    ) {
        let cases: Vec<&Case> = self.differences(expected).collect();
        if cases.is_empty() {
            let _ = writeln!(text, "\nnothing differs from {from}");
            return;
        }
        let _ = writeln!(text, "\n{} differ from {from}:", cases.len());
        for case in cases {
            let seen = self.outcome(case).unwrap_or_default();
            let expected = expected(case).unwrap_or_default();
            let detail = self.results.get(&case.id).map_or("", |it| it.detail.as_str());
            let detail = match detail {
                "" => String::new(),
                detail => format!(" ({detail})"),
            };
            let _ = writeln!(text, "  {}: {seen}{detail}, {verb} was {expected}", case.id);
        }
    }
}

/// Columns, padded; the last one is not.
fn write_table(text: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
