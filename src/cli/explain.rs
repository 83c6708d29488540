//! `cudalint explain RULE`: the rule's card.

use super::Ending;
use super::args::ExplainArgs;
use super::output::{self, Failure, Stdout};
use super::pager;
use crate::config::Selector;
use crate::diagnostics::Safety;
use crate::diagnostics::rule::{Rule, Status, rule, suggestion};

/// Prints the card of one rule.
pub(super) fn run(args: &ExplainArgs) -> Result<Ending, Failure> {
    let Some(rule) = rule(&args.rule) else {
        let (several, name) = (Selector::parse(&args.rule).is_ok(), &args.rule);
        let hint = match suggestion(name) {
            _ if several => format!("`cudalint rules {name}` lists them"),
            Some(it) => format!("did you mean `{it}`?"),
            None => "`cudalint rules` lists them".to_owned(),
        };
        let message = match several {
            true => format!("`{name}` is more than one rule"),
            false => format!("unknown rule `{name}`"),
        };
        return Err(Failure::Usage {
            message,
            hint: Some(hint),
        });
    };
    let text = format!(
        "# {} ({})\n\n{}\n\n{}\n\n{}\n",
        rule.name,
        rule.code,
        rule.summary,
        standing(rule),
        rule.card.trim()
    );
    let text = match output::colour(args.color) {
        true => painted(&text),
        false => text,
    };
    match args.no_pager {
        true => Stdout::new().write_all(text.as_bytes())?,
        false => pager::show(&text)?,
    }
    Ok(Ending::Clean)
}

/// Headings stand out, and so does what is marked in an example.
fn painted(text: &str) -> String {
    let mut is_code = false;
    let line = |line: &str| {
        if line.starts_with("```") {
            is_code = !is_code;
            return format!("\u{1b}[2m{line}\u{1b}[0m\n");
        }
        match line {
            _ if is_code && line.contains("// <--") => format!("\u{1b}[1;31m{line}\u{1b}[0m\n"),
            _ if !is_code && line.starts_with('#') => format!("\u{1b}[1;36m{line}\u{1b}[0m\n"),
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// Group, severity, confidence, maturity and fix in one line.
fn standing(rule: &Rule) -> String {
    let status = match rule.status {
        Status::Stable => "in the default set",
        Status::Preview => "with `--preview` only",
        Status::Deprecated => "deprecated",
        Status::Removed => "removed",
    };
    let fix = match rule.fix {
        Some(Safety::Safe) => "fixed by `--fix`",
        Some(Safety::Unsafe) => "fixed by `--fix --unsafe-fixes` where an edit fits",
        Some(Safety::DisplayOnly) => "shows a change and never makes it",
        None => "no fix",
    };
    let (severity, confidence) = (rule.severity.as_str(), rule.confidence.as_str());
    format!(
        "{}: {severity}, {confidence} confidence; {status}; {fix}",
        rule.group
    )
}
