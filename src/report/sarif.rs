//! The `sarif` format, 2.1.0, with what GitHub code scanning asks for.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::github_hash::line_hashes;
use super::repository::{Repository, is_absolute, named};
use super::{Report, RuleInfo, SITE, page_of};
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Confidence, Finding, Fix, Location, Safety, Severity};

/// Writes one log with one run; suppressed findings are not part of it.
pub fn render(report: &Report<'_>, sources: &Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let at = Places {
        sources,
        repository: report.run.repository,
    };
    let mut rules: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in report.findings {
        rules.entry(finding.code).or_insert(finding);
    }
    let hashes = primary_hashes(report.findings, sources);
    let results: Vec<Value> = report
        .findings
        .iter()
        .zip(hashes)
        .map(|(finding, hash)| {
            let index = rules.keys().position(|code| *code == finding.code);
            result(finding, index, hash, &at)
        })
        .collect();
    let descriptors: Vec<Value> = rules
        .values()
        .map(|finding| descriptor(finding, report.rules))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(report.version, descriptors) },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {
                ROOT: { "description": { "text": "the top of the repository, or else the directory cudalint ran in" } }
            },
            "automationDetails": { "id": "cudalint/" },
            "invocations": [invocation(report)],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// Files, and what their paths are relative to.
struct Places<'a> {
    sources: &'a Sources<'a>,
    repository: Option<&'a Repository>,
}

/// Whether the answer is complete, and what is missing from it.
fn invocation(report: &Report<'_>) -> Value {
    let mut notifications = Vec::new();
    let mut notify = |level: &str, text: &str| {
        notifications.push(json!({ "level": level, "message": { "text": plain(text) } }));
    };
    report.run.errors.iter().for_each(|it| notify("error", it));
    report.run.warnings.iter().for_each(|it| notify("warning", it));
    let cut = report.statistics.analysis.get("entry points cut short").copied();
    if let Some(cut) = cut.filter(|it| *it > 0) {
        notify(
            "note",
            &format!("{cut} entry points were not followed on every path to its end"),
        );
    }
    let mut invocation = json!({ "executionSuccessful": report.run.errors.is_empty() });
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = json!(notifications);
    }
    invocation
}

/// What relative paths are relative to; GitHub takes it for the root of the repository.
const ROOT: &str = "%SRCROOT%";

fn driver(version: &str, rules: Vec<Value>) -> Value {
    let mut driver = json!({
        "name": "cudalint",
        "version": version,
        "semanticVersion": version,
        "rules": rules,
    });
    if let Some(site) = SITE {
        driver["informationUri"] = json!(site);
    }
    driver
}

fn descriptor(finding: &Finding, rules: &[RuleInfo<'_>]) -> Value {
    let mut descriptor = json!({ "id": finding.code, "name": finding.rule });
    let Some(rule) = rules.iter().find(|rule| rule.name == finding.rule) else {
        descriptor["shortDescription"] = json!({ "text": finding.rule });
        return descriptor;
    };
    descriptor["shortDescription"] = json!({ "text": clip(rule.summary) });
    descriptor["fullDescription"] = json!({ "text": clip(rule.summary) });
    descriptor["help"] = json!({ "text": rule.markdown, "markdown": rule.markdown });
    if let Some(site) = rule.site {
        descriptor["helpUri"] = json!(page_of(rule.name, site));
    }
    descriptor["defaultConfiguration"] = json!({ "level": level(rule.severity) });
    descriptor["properties"] = json!({
        "precision": rule.confidence.as_str(),
        "problem.severity": problem_severity(rule.severity),
        "tags": ["cuda", rule.group],
    });
    descriptor
}

/// GitHub refuses descriptions of more than 1024 characters.
fn clip(text: &str) -> &str {
    text.char_indices()
        .nth(1024)
        .map_or(text, |(end, _)| &text[..end])
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn problem_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "recommendation",
    }
}

fn result(finding: &Finding, rule: Option<usize>, hash: Option<String>, at: &Places<'_>) -> Value {
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": plain(&advised(finding)) },
        "locations": [{ "physicalLocation": physical(&finding.primary, at) }],
        "properties": properties(finding),
    });
    if let Some(hash) = hash {
        result["partialFingerprints"] = json!({ "primaryLocationLineHash": hash });
    }
    if !finding.steps.is_empty() {
        let (flow, related): (Vec<Value>, Vec<Value>) = steps(finding, at).into_iter().unzip();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
        result["relatedLocations"] = Value::Array(related);
    }
    if let Some(fix) = finding
        .fix
        .as_ref()
        .filter(|fix| fix.safety != Safety::DisplayOnly)
    {
        result["fixes"] = json!([fix_object(fix, at)]);
    }
    result
}

/// What is wrong, and what to do about it here.
fn advised(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n\n{help}", finding.message),
        None => finding.message.clone(),
    }
}

/// Each step as a location of the code flow and as a related location.
fn steps(finding: &Finding, at: &Places<'_>) -> Vec<(Value, Value)> {
    let numbered = finding.steps.iter().zip(1..);
    numbered
        .map(|(step, number): (_, u32)| {
            let location = json!({
                "id": number,
                "physicalLocation": physical(&step.location, at),
                "message": { "text": plain(&step.told()) },
            });
            let mut anonymous = location.clone();
            if let Some(location) = anonymous.as_object_mut() {
                location.remove("id");
            }
            (
                json!({ "executionOrder": number, "location": anonymous }),
                location,
            )
        })
        .collect()
}

fn properties(finding: &Finding) -> Value {
    let mut properties = Map::new();
    properties.insert("confidence".into(), json!(finding.confidence.as_str()));
    let texts = [
        ("help", &finding.help),
        ("evidence", &finding.evidence),
        ("configuration", &finding.configuration),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            properties.insert(name.into(), json!(text));
        }
    }
    if finding.confidence != Confidence::High && !finding.assumptions.is_empty() {
        properties.insert("assumptions".into(), json!(finding.assumptions));
    }
    Value::Object(properties)
}

fn fix_object(fix: &Fix, at: &Places<'_>) -> Value {
    let mut changes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        changes.entry(&edit.location.path).or_default().push(json!({
            "deletedRegion": region(&edit.location, at),
            "insertedContent": { "text": edit.replacement },
        }));
    }
    let changes: Vec<Value> = changes
        .into_iter()
        .map(|(path, replacements)| json!({ "artifactLocation": artifact(path, at), "replacements": replacements }))
        .collect();
    json!({
        "description": { "text": plain(&fix.title) },
        "artifactChanges": changes,
        "properties": { "safety": fix.safety.as_str() },
    })
}

fn physical(location: &Location, at: &Places<'_>) -> Value {
    json!({ "artifactLocation": artifact(&location.path, at), "region": region(location, at) })
}

fn region(location: &Location, at: &Places<'_>) -> Value {
    let (start, end) = at.sources.range(location);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

fn artifact(path: &str, at: &Places<'_>) -> Value {
    let path = named(at.repository, path);
    match path.as_bytes() {
        [b'/', ..] => json!({ "uri": format!("file://{}", percent_encoded(&path)) }),
        _ if is_absolute(&path) => {
            json!({ "uri": format!("file:///{}:{}", &path[..1], percent_encoded(&path[2..])) })
        }
        _ => json!({ "uri": percent_encoded(&path), "uriBaseId": ROOT }),
    }
}

fn percent_encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// `[text](target)` would be a link in a SARIF message.
fn plain(text: &str) -> String {
    match text.contains("](") {
        true => text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]"),
        false => text.to_owned(),
    }
}

/// The hash of each finding's first line, as GitHub computes it; a file is read once.
fn primary_hashes(findings: &[Finding], sources: &Sources<'_>) -> Vec<Option<String>> {
    let mut wanted: BTreeMap<&str, BTreeMap<u32, Option<String>>> = BTreeMap::new();
    for finding in findings {
        let (start, _) = sources.range(&finding.primary);
        wanted
            .entry(&finding.primary.path)
            .or_default()
            .insert(start.line, None);
    }
    for (path, lines) in &mut wanted {
        if let Some(source) = sources.get(path) {
            line_hashes(source.bytes, |line, hash| {
                if let Some(wanted) = lines.get_mut(&line) {
                    *wanted = Some(hash.to_string());
                }
            });
        }
    }
    let hash = |finding: &Finding| {
        let (start, _) = sources.range(&finding.primary);
        wanted.get(&*finding.primary.path)?.get(&start.line)?.clone()
    };
    findings.iter().map(hash).collect()
}
