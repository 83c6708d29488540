//! `cudalint explain RULE`: the rule's card.

use super::Ending;
use super::args::ExplainArgs;
use super::output::{Failure, Stdout};
use crate::diagnostics::rule::{rule, suggestion};

/// Prints the card of one rule.
pub(super) fn run(args: &ExplainArgs) -> Result<Ending, Failure> {
    let Some(rule) = rule(&args.rule) else {
        let hint = suggestion(&args.rule).map(|it| format!("did you mean `{it}`?"));
        let hint = hint.or_else(|| Some("`cudalint rules` lists them".to_owned()));
        return Err(Failure::Usage {
            message: format!("unknown rule `{}`", args.rule),
            hint,
        });
    };
    let code = if rule.code.is_empty() {
        String::new()
    } else {
        format!(" ({})", rule.code)
    };
    let text = format!(
        "# {}{code}\n\n{}\n\n{}\n",
        rule.name,
        rule.summary,
        rule.card.trim()
    );
    Stdout::new().write_all(text.as_bytes())?;
    Ok(Ending::Clean)
}
