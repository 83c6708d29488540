//! Findings to bytes, one file per format.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use self::repository::Repository;
use crate::diagnostics::rule::Rule;
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Confidence, Finding, Severity};

pub use crate::diagnostics::sort;
pub use crate::diagnostics::source::SourceLookup;

mod concise;
pub mod contracts;
pub mod diff;
pub mod document;
mod drawing;
mod excerpt;
mod full;
mod github;
mod github_hash;
mod gitlab;
pub mod html;
mod json;
mod junit;
mod markup;
pub mod repository;
mod sarif;
pub mod svg;
pub mod text;

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// For people: the source with every step of the story marked.
    #[default]
    Full,
    /// For people and editors: one line per finding.
    Concise,
    /// One JSON object with findings and statistics.
    Json,
    /// One JSON object per line and finding.
    JsonLines,
    /// SARIF 2.1.0, for GitHub code scanning and others.
    Sarif,
    /// Workflow commands that GitHub Actions turns into annotations.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// A JUnit test report.
    Junit,
    /// One page with every finding as a picture.
    Html,
}

/// What is reported.
pub struct Report<'a> {
    /// The findings, [`sort`]ed.
    pub findings: &'a [Finding],
    /// The files they name.
    pub sources: &'a dyn SourceLookup,
    /// What was done to find them.
    pub statistics: &'a Statistics,
    /// Cards of the rules; those without a finding may be missing, and so may those with.
    pub rules: &'a [RuleInfo<'a>],
    /// Version of cudalint.
    pub version: &'a str,
    /// How the run went, for the formats that tell machines.
    pub run: RunInfo<'a>,
}

/// How a run went.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunInfo<'a> {
    /// What went wrong without stopping it.
    pub warnings: &'a [String],
    /// What makes its answer incomplete.
    pub errors: &'a [String],
    /// Where hosts of code look for the files; `None` outside of a repository.
    pub repository: Option<&'a Repository>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Files whose findings were asked for.
    pub files: usize,
    /// Findings that comments in the source keep quiet.
    pub suppressed: usize,
    /// Findings that less is known of than was asked for.
    pub unsure: usize,
    /// Findings that the baseline lists.
    pub known: usize,
    /// Further counts by name, e.g. budgets that were hit.
    pub analysis: BTreeMap<String, u64>,
}

const HOMEPAGE: &str = env!("CARGO_PKG_HOMEPAGE");

/// Where the documentation is on the web: `homepage` of `Cargo.toml`, and nothing as long as nobody knows.
pub const SITE: Option<&str> = match HOMEPAGE.is_empty() {
    true => None,
    false => Some(HOMEPAGE),
};

/// The page of a rule on the site of the documentation.
pub fn page_of(rule: &str, site: &str) -> String {
    format!("{}/rules/{rule}.html", site.trim_end_matches('/'))
}

/// What formats say about a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo<'a> {
    /// Primary name.
    pub name: &'a str,
    /// Code.
    pub code: &'a str,
    /// Group, e.g. `hang`.
    pub group: &'a str,
    /// One sentence.
    pub summary: &'a str,
    /// The card, in Markdown without its front matter.
    pub markdown: &'a str,
    /// Severity its findings have.
    pub severity: Severity,
    /// Confidence its findings have when nothing had to be assumed.
    pub confidence: Confidence,
    /// Where the documentation is on the web.
    pub site: Option<&'a str>,
}

impl<'a> From<&'a Rule> for RuleInfo<'a> {
    fn from(rule: &'a Rule) -> Self {
        RuleInfo {
            name: rule.name,
            code: rule.code,
            group: rule.group,
            summary: rule.summary,
            markdown: rule.card,
            severity: rule.severity,
            confidence: rule.confidence,
            site: SITE,
        }
    }
}

/// What the JSON report holds, for whoever draws from it.
pub fn document(report: &Report<'_>) -> document::Document {
    json::document(report, &Sources::new(report.findings, report.sources))
}

/// Writes a report.
///
/// `colour` and `width` (columns of the terminal) matter to the formats for people only.
pub fn render(
    format: Format,
    report: &Report<'_>,
    colour: bool,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sources = Sources::new(report.findings, report.sources);
    match format {
        Format::Full => full::render(report, &sources, colour, width, out),
        Format::Concise => concise::render(report, &sources, colour, out),
        Format::Json => json::render(report, &sources, out),
        Format::JsonLines => json::render_lines(report, &sources, out),
        Format::Sarif => sarif::render(report, &sources, out),
        Format::Github => github::render(report, &sources, out),
        Format::Gitlab => gitlab::render(report, &sources, out),
        Format::Junit => junit::render(report, &sources, out),
        Format::Html => out.write_all(html::page(&json::document(report, &sources)).as_bytes()),
    }
}

/// How many findings there are, for the last line of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
    /// Files whose findings were asked for.
    pub files: usize,
    /// Findings that comments keep quiet.
    pub suppressed: usize,
    /// Findings that less is known of than was asked for.
    pub unsure: usize,
    /// Findings that the baseline lists.
    pub known: usize,
}

impl Summary {
    /// Counts findings.
    pub fn new(findings: &[Finding], statistics: &Statistics) -> Self {
        let count = |severity| {
            findings
                .iter()
                .filter(|finding| finding.severity == severity)
                .count()
        };
        Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            files: statistics.files,
            suppressed: statistics.suppressed,
            unsure: statistics.unsure,
            known: statistics.known,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.infos, "info"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
        let found = if counts.is_empty() {
            "no findings".to_owned()
        } else {
            counts.join(", ")
        };
        write!(f, "{found} in {}", counted(self.files, "file"))?;
        let left_out: Vec<String> = [
            (self.suppressed, "suppressed"),
            (self.known, "in the baseline"),
            (self.unsure, "of lower confidence"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
        if left_out.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", left_out.join(", "))
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl Format {
    /// Every format, in the order help shows them.
    pub const ALL: [Format; 9] = [
        Format::Full,
        Format::Concise,
        Format::Json,
        Format::JsonLines,
        Format::Sarif,
        Format::Github,
        Format::Gitlab,
        Format::Junit,
        Format::Html,
    ];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Full => "full",
            Format::Concise => "concise",
            Format::Json => "json",
            Format::JsonLines => "json-lines",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Gitlab => "gitlab",
            Format::Junit => "junit",
            Format::Html => "html",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{0}`; formats are {names}", names = Format::ALL.map(Format::as_str).join(", "))]
pub struct UnknownFormat(pub String);
