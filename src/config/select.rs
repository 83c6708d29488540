//! Selectors: the words `--select` and `--ignore` take, and which rules they mean.

use std::collections::BTreeSet;

use crate::diagnostics::rule::{GROUPS, RULES, Rule, Status, rule, suggestion};
use crate::diagnostics::similar::closest;

/// One word of `--select` or `--ignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// Every rule.
    All,
    /// A group such as `hang`.
    Group(&'static str),
    /// The beginning of a code, such as `CL1`.
    Prefix(String),
    /// One rule, by its primary name.
    Rule(&'static str),
}

impl Selector {
    /// Reads a rule name, alias, code, code prefix, group or `all`; else says what is wrong and what was probably meant.
    pub fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        if text == "all" {
            return Ok(Selector::All);
        }
        if let Some(rule) = rule(text) {
            return Ok(Selector::Rule(rule.name));
        }
        if let Some(group) = GROUPS.iter().find(|group| **group == text) {
            return Ok(Selector::Group(group));
        }
        let upper = text.to_ascii_uppercase();
        if !upper.is_empty() && RULES.iter().any(|rule| rule.code.starts_with(&upper)) {
            return Ok(Selector::Prefix(upper));
        }
        let others = GROUPS.iter().copied().chain(["all"]);
        let hint = suggestion(text)
            .or_else(|| closest(text, others))
            .map(|it| format!("did you mean `{it}`?"));
        let hint = hint.or_else(|| Some("`cudalint rules` lists them".to_owned()));
        Err((format!("unknown rule or group `{text}`"), hint))
    }

    /// Whether it means this rule, among others perhaps.
    pub fn matches(&self, rule: &Rule) -> bool {
        match self {
            Selector::All => true,
            Selector::Group(group) => rule.group == *group,
            Selector::Prefix(prefix) => rule.code.starts_with(prefix.as_str()),
            Selector::Rule(name) => rule.name == *name,
        }
    }

    /// The narrower selector wins.
    pub(super) fn narrowness(&self) -> usize {
        match self {
            Selector::All => 0,
            Selector::Group(_) => 1,
            Selector::Prefix(prefix) => 1 + prefix.len(),
            Selector::Rule(_) => usize::MAX,
        }
    }
}

/// Names of the rules that run: without `select`, all that are not in preview; the narrower selector wins, and of
/// equally narrow ones `ignore`.
///
/// A preview rule runs with `preview`, or when it is selected by its own name or code.
pub(super) fn enabled(
    select: Option<&[Selector]>,
    ignore: &[Selector],
    preview: bool,
) -> BTreeSet<&'static str> {
    let everything = [Selector::All];
    let select = select.unwrap_or(&everything);
    let narrowest = |selectors: &[Selector], rule: &Rule| {
        selectors
            .iter()
            .filter(|selector| selector.matches(rule))
            .map(Selector::narrowness)
            .max()
    };
    let runs = |rule: &&Rule| {
        let Some(selected) = narrowest(select, rule) else {
            return false;
        };
        let wanted = preview || rule.status != Status::Preview || selected == usize::MAX;
        wanted && narrowest(ignore, rule).is_none_or(|ignored| ignored < selected)
    };
    RULES.iter().filter(runs).map(|rule| rule.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(select: Option<&[&str]>, ignore: &[&str]) -> BTreeSet<&'static str> {
        let parse = |words: &[&str]| -> Vec<Selector> {
            words
                .iter()
                .map(|word| Selector::parse(word).expect("a known selector"))
                .collect()
        };
        let select = select.map(parse);
        enabled(select.as_deref(), &parse(ignore), false)
    }

    #[test]
    fn codes_prefixes_groups_and_names_select() {
        assert_eq!(
            names(Some(&["CL102"]), &[]),
            BTreeSet::from(["spin-without-preload"])
        );
        assert_eq!(
            names(Some(&["cl102"]), &[]),
            names(Some(&["spin-without-preload"]), &[])
        );
        assert!(names(Some(&["CL1"]), &[]).contains("wait-before-write"));
        assert!(names(Some(&["hang"]), &[]).contains("wait-before-write"));
        assert!(!names(Some(&["hang"]), &[]).contains("unused-suppression"));
    }

    #[test]
    fn the_narrower_selector_wins_and_ignore_breaks_ties() {
        assert!(names(Some(&["CL102"]), &["hang"]).contains("spin-without-preload"));
        assert!(names(Some(&["hang"]), &["hang"]).is_empty());
        assert!(!names(None, &["CL102"]).contains("spin-without-preload"));
    }

    #[test]
    fn an_unknown_word_suggests() {
        let (message, hint) = Selector::parse("hnag").expect_err("no such group");
        assert_eq!(message, "unknown rule or group `hnag`");
        assert_eq!(hint.as_deref(), Some("did you mean `hang`?"));
    }
}
