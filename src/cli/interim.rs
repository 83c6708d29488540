//! Stands in for `report` until it lands: one line per finding.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use crate::diagnostics::{Confidence, Finding, Severity};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Concise,
}

impl Format {
    pub const ALL: [Format; 1] = [Format::Concise];

    pub fn as_str(self) -> &'static str {
        "concise"
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        if name == "concise" {
            Ok(Format::Concise)
        } else {
            Err(UnknownFormat(name.to_owned()))
        }
    }
}

#[derive(Clone, Debug, thiserror::Error)]
#[error("unknown format `{0}`")]
pub struct UnknownFormat(pub String);

#[expect(dead_code, reason = "reports will read them")]
pub struct Report<'a> {
    pub findings: &'a [Finding],
    pub sources: &'a BTreeMap<Arc<str>, Arc<[u8]>>,
    pub statistics: &'a Statistics,
    pub rules: &'a [RuleInfo<'a>],
    pub version: &'a str,
}

#[derive(Default)]
#[expect(dead_code, reason = "reports will read them")]
pub struct Statistics {
    pub files: usize,
    pub suppressed: usize,
    pub analysis: BTreeMap<String, u64>,
}

#[expect(dead_code, reason = "reports will read them")]
pub struct RuleInfo<'a> {
    pub name: &'a str,
    pub code: &'a str,
    pub group: &'a str,
    pub summary: &'a str,
    pub markdown: &'a str,
    pub severity: Severity,
    pub confidence: Confidence,
    pub uri: Option<&'a str>,
}

pub fn render(
    _: Format,
    report: &Report<'_>,
    _colour: bool,
    _width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for finding in report.findings {
        writeln!(
            out,
            "{}: {} {}",
            finding.primary.path, finding.code, finding.message
        )?;
    }
    Ok(())
}

pub struct Summary(usize, usize);

impl Summary {
    pub fn new(findings: &[Finding], statistics: &Statistics) -> Self {
        Summary(findings.len(), statistics.files)
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => write!(f, "no findings in {} files", self.1),
            count => write!(f, "{count} findings in {} files", self.1),
        }
    }
}
