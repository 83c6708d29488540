//! Reads rule cards (`rules/*.md`) and writes the table of rules as Rust source; used by `build.rs` and by tests.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The groups of rules, and the digit the codes of each begin with.
const GROUPS: &[(&str, char)] = &[
    ("hang", '1'),
    ("race", '2'),
    ("capture", '3'),
    ("serialise", '4'),
    ("timing", '5'),
    ("suppressions", '9'),
];

/// What the front matter of a card must say.
const REQUIRED: &[&str] = &[
    "name",
    "code",
    "summary",
    "group",
    "severity",
    "confidence",
    "status",
    "fix",
    "tags",
];

/// What it may say besides: the rule's former names.
const OPTIONAL: &[&str] = &["aliases"];

/// The Rust source of the tables `diagnostics/rule.rs` includes, or what is wrong with a card.
///
/// `cards` are pairs of a file's stem and its text.
pub fn compile(cards: &[(String, String)]) -> Result<String, String> {
    let mut rules: BTreeMap<String, String> = BTreeMap::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (stem, text) in cards {
        let complain = |problem: String| format!("rules/{stem}.md: {problem}");
        let card = Card::parse(text)
            .and_then(|card| card.check(stem))
            .map_err(complain)?;
        let code = card.value("code").to_owned();
        for name in card.list("aliases").into_iter().chain([stem.as_str(), &code]) {
            if let Some(other) = names.insert(name.to_owned(), stem.clone()) {
                return Err(format!(
                    "rules/{stem}.md: `{name}` is also used by rules/{other}.md"
                ));
            }
        }
        let rule = card
            .rule()
            .map_err(|problem| format!("rules/{stem}.md: {problem}"))?;
        rules.insert(code, rule);
    }
    let groups: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    let mut out = format!(
        "/// The groups of rules, in the order of their codes.\npub static GROUPS: &[&str] = &{groups:?};\n"
    );
    out.push_str("/// Every rule, by code.\npub static RULES: &[Rule] = &[\n");
    out.extend(rules.values().map(String::as_str));
    out.push_str("];\n");
    Ok(out)
}

/// A card, taken apart.
struct Card<'a> {
    values: BTreeMap<&'a str, &'a str>,
    body: &'a str,
}

impl<'a> Card<'a> {
    /// Splits flat front matter (`key: value` lines between two `---` lines) from the Markdown after it.
    fn parse(text: &'a str) -> Result<Self, String> {
        let rest = text
            .strip_prefix("---\n")
            .ok_or("does not begin with a `---` line")?;
        let (front, body) = rest
            .split_once("\n---\n")
            .ok_or("the front matter is not closed by a `---` line")?;
        let mut values = BTreeMap::new();
        for line in front.lines() {
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| format!("`{line}` is not `key: value`"))?;
            let (key, value) = (key.trim(), value.trim());
            if !REQUIRED.contains(&key) && !OPTIONAL.contains(&key) {
                return Err(format!("unknown key `{key}`; known are {}", REQUIRED.join(", ")));
            }
            if values.insert(key, value).is_some() {
                return Err(format!("`{key}` is given twice"));
            }
        }
        Ok(Card {
            values,
            body: body.trim(),
        })
    }

    /// Completeness, and agreement of name, file, group and code.
    fn check(self, stem: &str) -> Result<Self, String> {
        if let Some(missing) = REQUIRED
            .iter()
            .find(|key| self.value(key).is_empty() && **key != "tags")
        {
            return Err(format!("`{missing}` is missing"));
        }
        let (name, code, group, summary) = (
            self.value("name"),
            self.value("code"),
            self.value("group"),
            self.value("summary"),
        );
        if name != stem {
            return Err(format!("`name` is `{name}`, the file is `{stem}.md`"));
        }
        if !name
            .bytes()
            .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
        {
            return Err(format!("`{name}` is not kebab-case"));
        }
        let known: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
        let (_, digit) = GROUPS
            .iter()
            .find(|(name, _)| *name == group)
            .ok_or_else(|| format!("unknown group `{group}`; known are {}", known.join(", ")))?;
        let digits = code.strip_prefix("CL").unwrap_or("");
        if digits.len() != 3 || !digits.bytes().all(|it| it.is_ascii_digit()) || !digits.starts_with(*digit) {
            return Err(format!(
                "`{code}` is not `CL{digit}` and two digits, as codes of `{group}` are"
            ));
        }
        if summary.ends_with('.') || summary.starts_with(char::is_uppercase) {
            return Err("`summary` is lower case and has no final dot".to_owned());
        }
        Ok(self)
    }

    /// The rule as Rust source.
    fn rule(&self) -> Result<String, String> {
        let severity = self.choice(
            "severity",
            &[("error", "Error"), ("warning", "Warning"), ("info", "Info")],
        )?;
        let confidence = self.choice(
            "confidence",
            &[("high", "High"), ("medium", "Medium"), ("low", "Low")],
        )?;
        let status = self.choice(
            "status",
            &[
                ("stable", "Stable"),
                ("preview", "Preview"),
                ("deprecated", "Deprecated"),
                ("removed", "Removed"),
            ],
        )?;
        let fix = self.choice(
            "fix",
            &[
                ("none", "None"),
                ("safe", "Some(Safety::Safe)"),
                ("unsafe", "Some(Safety::Unsafe)"),
                ("display-only", "Some(Safety::DisplayOnly)"),
            ],
        )?;
        let mut out = String::from("    Rule {\n");
        for key in ["name", "code", "summary", "group"] {
            writeln!(out, "        {key}: {:?},", self.value(key))
                .expect("writing to a string does not fail");
        }
        write!(
            out,
            "        severity: Severity::{severity},\n        confidence: Confidence::{confidence},\n        \
             status: Status::{status},\n        fix: {fix},\n        tags: &{:?},\n        aliases: &{:?},\n        \
             card: {:?},\n    }},\n",
            self.list("tags"),
            self.list("aliases"),
            self.body,
        )
        .expect("writing to a string does not fail");
        Ok(out)
    }

    /// The Rust word for a value that must be one of a few.
    fn choice(&self, key: &str, choices: &[(&str, &'static str)]) -> Result<&'static str, String> {
        let value = self.value(key);
        let found = choices
            .iter()
            .find(|(word, _)| *word == value)
            .map(|(_, rust)| *rust);
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        found.ok_or_else(|| format!("`{key}` is `{value}`; it must be one of {}", words.join(", ")))
    }

    fn value(&self, key: &str) -> &'a str {
        self.values.get(key).copied().unwrap_or("")
    }

    /// A comma-separated value.
    fn list(&self, key: &str) -> Vec<&'a str> {
        self.value(key)
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::compile;

    const CARD: &str = "---\nname: spin\ncode: CL102\nsummary: a kernel spins\ngroup: hang\nseverity: error\n\
                        confidence: high\nstatus: stable\nfix: unsafe\ntags: deadlock, lazy\naliases: spins\n---\n\n## What it does\n";

    fn compiled(text: &str) -> Result<String, String> {
        compile(&[("spin".to_owned(), text.to_owned())])
    }

    #[test]
    fn a_card_becomes_a_typed_rule() {
        let source = compiled(CARD).expect("the card is valid");
        for part in [
            "name: \"spin\"",
            "severity: Severity::Error",
            "fix: Some(Safety::Unsafe)",
            "tags: &[\"deadlock\", \"lazy\"]",
            "aliases: &[\"spins\"]",
            "card: \"## What it does\"",
        ] {
            assert!(source.contains(part), "{part} in {source}");
        }
    }

    #[test]
    fn problems_name_the_file_and_the_value() {
        for (from, to, expected) in [
            (
                "severity: error",
                "severity: fatal",
                "`severity` is `fatal`; it must be one of error, warning, info",
            ),
            ("group: hang", "group: hung", "unknown group `hung`"),
            (
                "code: CL102",
                "code: CL202",
                "`CL202` is not `CL1` and two digits",
            ),
            (
                "name: spin",
                "name: spun",
                "`name` is `spun`, the file is `spin.md`",
            ),
            ("tags:", "colour:", "unknown key `colour`"),
            ("fix: unsafe\n", "", "`fix` is missing"),
            ("a kernel spins", "A kernel spins.", "`summary` is lower case"),
            ("\n---\n", "\n", "not closed"),
        ] {
            let problem = compiled(&CARD.replacen(from, to, 1)).expect_err(to);
            assert!(
                problem.starts_with("rules/spin.md: ") && problem.contains(expected),
                "{problem}"
            );
        }
    }

    #[test]
    fn two_cards_do_not_share_a_code_or_a_former_name() {
        let other = CARD.replace("name: spin", "name: wait");
        let cards = [("spin".to_owned(), CARD.to_owned()), ("wait".to_owned(), other)];
        assert!(
            compile(&cards)
                .expect_err("`spins` is an alias of both")
                .contains("also used by rules/spin.md")
        );
    }
}
