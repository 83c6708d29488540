//! What all rules say of a generated program: whether it hangs, and which operations race.
//!
//! The whole way is asked, from the text to the finding, and not `order` alone: what counts is what a user is told. A
//! program is said to hang when a rule over deadlocks reports an error, or CL109 (its wait is one that nothing ends).

use std::collections::BTreeSet;
use std::sync::Arc;

use cudalint::diagnostics::{Finding, Severity};
use cudalint::facts;
use cudalint::program::{Program as Linked, SourceUnit};
use cudalint::rules::{self, Options};
use cudalint::syntax::{self, Defines, LineIndex, MacroTable};

use super::outcomes::Loading;
use super::reference::Place;
use super::render::Source;

/// A program, ready for the rules.
pub struct Analysis<'s> {
    source: &'s Source,
    linked: Linked,
}

/// A finding about a race.
#[derive(Clone, Debug)]
pub struct Reported {
    /// Code of the rule.
    pub code: &'static str,
    /// The operations it marks.
    pub places: BTreeSet<Place>,
}

const HANG_CODES: [&str; 11] = [
    "CL101", "CL102", "CL103", "CL104", "CL105", "CL106", "CL107", "CL108", "CL114", "CL117", "CL118",
];

impl<'s> Analysis<'s> {
    /// Reads the sources.
    pub fn new(source: &'s Source) -> Self {
        let mut table = MacroTable::default();
        for (_, text) in &source.files {
            table.merge(syntax::collect_macros(text.as_bytes()));
        }
        let defines = Defines::for_cuda(13_000);
        let units = source
            .files
            .iter()
            .map(|(name, text)| SourceUnit {
                path: Arc::from(name.as_str()),
                bytes: Arc::from(text.as_bytes()),
                facts: facts::extract(text.as_bytes(), &defines, &table).into(),
                ..SourceUnit::default()
            })
            .collect();
        Analysis {
            source,
            linked: Linked::link(units),
        }
    }

    fn findings(&self, loading: Loading) -> Vec<Finding> {
        let options = Options {
            lazy_loading: loading == Loading::Lazy,
            ..Options::default()
        };
        rules::check(&self.linked, &options).findings
    }

    /// Codes of the rules that say the program hangs.
    pub fn hangs(&self, loading: Loading) -> BTreeSet<&'static str> {
        let says_so = |it: &Finding| {
            it.code == "CL109" || it.severity == Severity::Error && HANG_CODES.contains(&it.code)
        };
        let findings = self.findings(loading);
        findings
            .iter()
            .filter(|it| says_so(it))
            .map(|it| it.code)
            .collect()
    }

    /// What the rules over races say.
    pub fn races(&self, loading: Loading) -> Vec<Reported> {
        let (_, main) = &self.source.files[0];
        let index = LineIndex::new(main.as_bytes());
        let findings = self.findings(loading);
        // A stream that waits for its own record has no race by that.
        let is_race = |code: &str| code.starts_with("CL2") && code != "CL214";
        let races = findings.iter().filter(|it| is_race(it.code));
        races
            .map(|finding| {
                let marked = finding.locations().filter(|it| &*it.path == "main.cu");
                let lines = marked.map(|it| index.line_column(it.span.start).0);
                Reported {
                    code: finding.code,
                    places: lines
                        .filter_map(|it| self.source.lines.get(&it).copied())
                        .collect(),
                }
            })
            .collect()
    }
}
