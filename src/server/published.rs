//! Findings as the client shows them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::settings::Abilities;
use super::target::Answer;
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Confidence, Finding, Location, Severity, fingerprint, suppress};
use crate::report::{SITE, page_of};

/// Diagnostics by the address of their file.
pub(super) type Published = BTreeMap<String, Vec<Value>>;

/// The diagnostics of an answer, in order.
pub(super) fn diagnostics(answer: &Answer, abilities: Abilities) -> Published {
    let mut published = Published::new();
    let sources = Sources::new(&answer.findings, &answer.sources);
    let fingerprints = fingerprint::fingerprints(&answer.findings, &sources);
    for (finding, fingerprint) in answer.findings.iter().zip(fingerprints) {
        let page = Page {
            answer,
            sources: &sources,
            abilities,
        };
        if let Some(address) = answer.addresses.get(&finding.primary.path) {
            let diagnostic = page.diagnostic(finding, &fingerprint);
            published.entry(address.clone()).or_default().push(diagnostic);
        }
    }
    published
}

/// What places are told with.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub answer: &'a Answer,
    pub sources: &'a Sources<'a>,
    pub abilities: Abilities,
}

impl Page<'_> {
    pub fn diagnostic(&self, finding: &Finding, fingerprint: &str) -> Value {
        let mut diagnostic = json!({
            "range": self.range(&finding.primary),
            "severity": severity(finding.severity),
            "code": finding.code,
            "source": "cudalint",
            "message": self.message(finding),
            "data": {"fingerprint": fingerprint},
        });
        if let (true, Some(site)) = (self.abilities.code_description, SITE) {
            diagnostic["codeDescription"] = json!({"href": page_of(finding.rule, site)});
        }
        if self.abilities.tags && finding.rule == suppress::UNUSED.0 {
            diagnostic["tags"] = json!([1]);
        }
        if self.abilities.related_information {
            let steps = finding.steps.iter().enumerate();
            let related = steps.filter_map(|(index, step)| {
                let message = format!("{}: {}", index + 1, step.told());
                Some(json!({"location": self.location(&step.location)?, "message": message}))
            });
            let related: Vec<Value> = related.collect();
            if !related.is_empty() {
                diagnostic["relatedInformation"] = json!(related);
            }
        }
        diagnostic
    }

    pub fn range(&self, location: &Location) -> Value {
        let text = self.sources.file(&location.path);
        json!(self.abilities.encoding.range(text, location.span))
    }

    fn location(&self, location: &Location) -> Option<Value> {
        let address = self.answer.addresses.get(&location.path)?;
        Some(json!({"uri": address, "range": self.range(location)}))
    }

    /// What is wrong, and below it what to do and what it rests on; the steps, too, where a client cannot show them.
    fn message(&self, finding: &Finding) -> String {
        let mut lines = vec![format!("{}: {}", finding.rule, finding.message)];
        if !self.abilities.related_information {
            let steps = finding.steps.iter().enumerate();
            lines.extend(steps.map(|(index, step)| {
                let (at, _) = self.sources.range(&step.location);
                let place = format!("{}:{}", step.location.path, at.line);
                format!("{}: {} ({place})", index + 1, step.told())
            }));
        }
        lines.extend(finding.help.iter().map(|it| format!("help: {it}")));
        lines.extend(finding.configuration.iter().map(|it| format!("note: {it}")));
        if finding.confidence != Confidence::High {
            lines.push(format!("note: {} confidence", finding.confidence.as_str()));
        }
        lines.extend(
            finding
                .assumptions
                .iter()
                .map(|it| format!("note: assumed: {it}")),
        );
        lines.join("\n")
    }
}

/// As the protocol counts them.
fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Info => 3,
    }
}
