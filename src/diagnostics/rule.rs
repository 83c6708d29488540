//! The rules as their cards describe them: `rules/*.md`, compiled in by `build.rs`.

use super::{Confidence, Safety, Severity, similar};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Primary name, e.g. `spin-without-preload`.
    pub name: &'static str,
    /// Code, e.g. `CL102`.
    pub code: &'static str,
    /// One line, lower case.
    pub summary: &'static str,
    /// One of [`GROUPS`].
    pub group: &'static str,
    /// Severity its findings have unless the rule says otherwise.
    pub severity: Severity,
    /// Confidence its findings have when nothing had to be assumed.
    pub confidence: Confidence,
    /// Maturity.
    pub status: Status,
    /// The fix it offers, if any.
    pub fix: Option<Safety>,
    /// Words to find it by.
    pub tags: &'static [&'static str],
    /// Former names, which keep working.
    pub aliases: &'static [&'static str],
    /// The card, in Markdown without its front matter.
    pub card: &'static str,
}

/// Maturity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// In the default set.
    Stable,
    /// Only with `--preview`.
    Preview,
    /// Still works, will go.
    Deprecated,
    /// Only explains itself.
    Removed,
}

/// The rule of that name, former name or code; codes and names are not case-sensitive.
pub fn rule(name_or_code: &str) -> Option<&'static Rule> {
    let is = |it: &str| it.eq_ignore_ascii_case(name_or_code);
    RULES
        .iter()
        .find(|rule| is(rule.name) || is(rule.code) || rule.aliases.iter().any(|alias| is(alias)))
}

/// The rules that a word means: a name, a former name, a code, the beginning of a code, or a group.
pub fn meant(word: &str) -> Vec<&'static Rule> {
    if let Some(rule) = rule(word) {
        return vec![rule];
    }
    let code = word.to_ascii_uppercase();
    let is_code = code.len() > 2 && code.starts_with("CL");
    let is_meant = |it: &&Rule| it.group == word || (is_code && it.code.starts_with(&code));
    RULES.iter().filter(is_meant).collect()
}

/// The rule name closest to a mistyped one.
pub fn suggestion(mistyped: &str) -> Option<&'static str> {
    let known = RULES.iter().flat_map(|rule| {
        [rule.name, rule.code]
            .into_iter()
            .chain(rule.aliases.iter().copied())
    });
    let closest = similar::closest(mistyped, known)?;
    rule(closest).map(|rule| {
        if rule.code == closest {
            rule.code
        } else {
            rule.name
        }
    })
}

impl Status {
    /// The word cards use.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Stable => "stable",
            Status::Preview => "preview",
            Status::Deprecated => "deprecated",
            Status::Removed => "removed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_by_name_and_code() {
        assert_eq!(rule("spin-without-preload").map(|it| it.code), Some("CL102"));
        assert_eq!(rule("cl102").map(|it| it.name), Some("spin-without-preload"));
        assert!(rule("spin").is_none());
    }

    #[test]
    fn typing_mistakes_get_a_suggestion() {
        assert_eq!(suggestion("spin-without-preloads"), Some("spin-without-preload"));
        assert_eq!(suggestion("something-else-entirely"), None);
        assert_eq!(suggestion("spin-without"), Some("spin-without-preload"));
        // Several rules begin so.
        assert_eq!(suggestion("spin-"), None);
    }

    #[test]
    fn rules_are_ordered_by_code_and_know_their_group() {
        assert!(RULES.is_sorted_by(|left, right| left.code < right.code));
        assert!(RULES.iter().all(|rule| GROUPS.contains(&rule.group)));
    }
}
