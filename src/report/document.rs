//! What a JSON report holds, as types: written by `json`, read by `draw`; `findings.schema.json` describes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The whole report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Version of the format.
    pub version: u32,
    /// What wrote it.
    pub tool: Tool,
    /// The findings, in the order of every report.
    pub findings: Vec<FindingObject>,
    /// What was done to find them.
    pub statistics: StatisticsObject,
}

/// What wrote a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// `cudalint`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One finding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingObject {
    /// Name of the rule.
    pub rule: String,
    /// Code of the rule.
    pub code: String,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// `high`, `medium` or `low`.
    pub confidence: String,
    /// Where it is reported.
    #[serde(flatten)]
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// How it happens.
    pub steps: Vec<StepObject>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What a GPU did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// What had to be assumed.
    pub assumptions: Vec<String>,
    /// The preprocessor configuration it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// A name that holds while lines above it move.
    pub fingerprint: String,
    /// A change that removes the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixObject>,
    /// Who waits for whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureObject>,
    /// The source around its places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excerpts: Vec<ExcerptObject>,
}

/// One step of the story.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepObject {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What happens there.
    pub message: String,
    /// What a debugger saw there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
}

/// A change of the source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FixObject {
    /// What it does.
    pub title: String,
    /// `safe`, `unsafe` or `display-only`.
    pub safety: String,
    /// What to replace.
    pub edits: Vec<EditObject>,
    /// The same as a unified diff.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// One replacement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EditObject {
    /// What is replaced.
    #[serde(flatten)]
    pub place: Place,
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub length: u32,
    /// What takes their place.
    pub replacement: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The file.
    pub path: String,
    /// First line, from 1.
    pub line: u32,
    /// First column, from 1.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// The column behind the last one.
    pub end_column: u32,
}

/// Lanes, what happens in them, and what connects it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PictureObject {
    /// The function in which the path begins.
    pub entry: String,
    /// Host threads, then streams.
    pub lanes: Vec<LaneObject>,
    /// What happens.
    pub events: Vec<EventObject>,
    /// What connects it.
    pub edges: Vec<EdgeObject>,
}

/// A host thread or a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LaneObject {
    /// `host` or `stream`.
    pub kind: String,
    /// The user's name for it.
    pub name: String,
}

/// Something that happens in a lane.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EventObject {
    /// Index of its lane.
    pub lane: usize,
    /// When it begins; time has no unit.
    pub start: u32,
    /// When it ends; left out when it never does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// `issued`, `runs`, `waits`, `held`, `stuck` or `unreached`.
    pub state: String,
    /// What the user calls it.
    pub name: String,
    /// What becomes of it.
    pub text: String,
    /// Where it is written.
    #[serde(flatten)]
    pub place: Place,
    /// The step of the story that stands there, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The calls that lead there, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallObject>,
}

/// One call on the way from the entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallObject {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The call as it is written, on one line.
    pub text: String,
}

/// What connects two events.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EdgeObject {
    /// Index of the event it begins at.
    pub from: usize,
    /// Index of the event it ends at.
    pub to: usize,
    /// `enqueues`, `needs` (all of these together are the cycle) or `races`.
    pub kind: String,
    /// The same as a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Some lines of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExcerptObject {
    /// The file.
    pub path: String,
    /// Number of the first line, from 1.
    pub line: u32,
    /// The lines without their ends.
    pub lines: Vec<String>,
}

/// Counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StatisticsObject {
    /// Files whose findings were asked for.
    pub files: usize,
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
    /// Findings that comments keep quiet.
    pub suppressed: usize,
    /// Findings that less is known of than was asked for.
    #[serde(default)]
    pub unsure: usize,
    /// Findings that the baseline lists.
    pub baseline: usize,
    /// Further counts by name.
    pub analysis: BTreeMap<String, u64>,
}
