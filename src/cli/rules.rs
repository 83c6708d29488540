//! `cudalint rules`: the list of rules, for people, programs and the documentation.

use std::fmt::Write;

use super::Ending;
use super::args::{ListFormat, RulesArgs};
use super::output::{Failure, Stdout, Table};
use crate::config::Selector;
use crate::diagnostics::evidence::{self, Measured};
use crate::diagnostics::rule::{RULES, Rule, Status};

/// Prints the list.
pub(super) fn run(args: &RulesArgs) -> Result<Ending, Failure> {
    let wanted: Vec<Selector> = args
        .rules
        .iter()
        .map(|it| selector(it))
        .collect::<Result<_, _>>()?;
    let is_wanted = |rule: &&Rule| wanted.is_empty() || wanted.iter().any(|it| it.matches(rule));
    let rules: Vec<&Rule> = RULES.iter().filter(is_wanted).collect();
    let text = match args.format {
        ListFormat::Table => table(&rules),
        ListFormat::Json => json(&rules),
        ListFormat::Markdown => markdown(&rules),
    };
    Stdout::new().write_all(text.as_bytes())?;
    Ok(Ending::Clean)
}

fn selector(word: &str) -> Result<Selector, Failure> {
    Selector::parse(word).map_err(|(message, hint)| Failure::Usage { message, hint })
}

fn table(rules: &[&Rule]) -> String {
    let mut table = Table::new();
    for rule in rules {
        let severity = rule.severity.as_str();
        table.row([rule.code, rule.name, severity, rule.status.as_str(), rule.summary]);
    }
    table.to_string()
}

fn json(rules: &[&Rule]) -> String {
    let rule = |rule: &&Rule| {
        serde_json::json!({
            "name": rule.name,
            "code": rule.code,
            "aliases": rule.aliases,
            "group": rule.group,
            "severity": rule.severity.as_str(),
            "confidence": rule.confidence.as_str(),
            "status": rule.status.as_str(),
            "fix": rule.fix.map(crate::diagnostics::Safety::as_str),
            "tags": rule.tags,
            "summary": rule.summary,
            "evidence": evidence::of_rule(rule.name).map(measured).collect::<Vec<_>>(),
        })
    };
    let rules: Vec<_> = rules.iter().map(rule).collect();
    format!("{:#}\n", serde_json::Value::Array(rules))
}

/// What was recorded on one machine; of each kind of fixture how many did what was predicted, and of how many.
fn measured(it: &Measured) -> serde_json::Value {
    let count = |(some, all): (usize, usize)| serde_json::json!({"asPredicted": some, "of": all});
    serde_json::json!({
        "gpu": it.gpu,
        "driver": it.driver,
        "cuda": it.cuda,
        "trialsPerMode": it.trials,
        "bad": count(it.bad),
        "good": count(it.good),
        "fixed": count(it.fixed),
    })
}

/// The table between the markers of docs/rules.md.
fn markdown(rules: &[&Rule]) -> String {
    let mut text = "| rule | code | severity | what it finds |\n|---|---|---|---|\n".to_owned();
    for rule in rules.iter().filter(|rule| rule.status != Status::Removed) {
        let preview = if rule.status == Status::Preview {
            " (preview)"
        } else {
            ""
        };
        let (name, code, severity) = (rule.name, rule.code, rule.severity.as_str());
        let summary = rule.summary.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| [{name}](../rules/{name}.md){preview} | {code} | {severity} | {summary} |"
        );
    }
    text
}
