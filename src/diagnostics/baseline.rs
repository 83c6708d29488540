//! Findings that are known already: the file that lists them, and what of a run it covers.
//!
//! An entry names a finding by file, rule and the text of its line: it holds while lines above it come and go and while the
//! tool says the same in other words, and no longer than the line stays as it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::rule::rule;
use super::source::{SourceLookup, SourceText};
use super::{Finding, Location};

/// Findings that are known, and how often each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Known, usize>);

/// What names a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    /// Relative to the folder the baseline is in, `/`-separated.
    path: String,
    rule: String,
    /// The line it is reported in, runs of white space as one space.
    source: String,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: String,
    rule: String,
    source: String,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    count: usize,
}

/// What a baseline leaves of some findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Those it does not list.
    pub new: Vec<Finding>,
    /// How many it lists.
    pub known: usize,
    /// How many it lists that were looked for and are not there any more.
    pub gone: usize,
}

const VERSION: u32 = 1;

/// More of a line names nothing better.
const LONGEST_SOURCE: usize = 200;

impl Baseline {
    /// Lists findings; `relative` gives a file as the baseline names it.
    pub fn of(findings: &[Finding], sources: &dyn SourceLookup, relative: &dyn Fn(&str) -> String) -> Self {
        let mut known = BTreeMap::new();
        let mut lines = Lines::new(sources);
        for finding in findings {
            *known.entry(lines.name(finding, relative)).or_default() += 1;
        }
        Baseline(known)
    }

    /// Reads a file; else says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.version != VERSION {
            return Err(format!("version {} is not known, {VERSION} is", file.version));
        }
        let mut known = BTreeMap::new();
        for entry in file.findings.into_iter().filter(|it| it.count > 0) {
            // A former name is still a name.
            let rule = rule(&entry.rule).map_or(entry.rule, |it| it.name.to_owned());
            let name = Known {
                path: entry.path,
                rule,
                source: entry.source,
            };
            let count: &mut usize = known.entry(name).or_default();
            *count = count.saturating_add(entry.count);
        }
        Ok(Baseline(known))
    }

    /// The file: a line for each entry, so that a change of one shows as one.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n  \"version\": {VERSION},\n  \"findings\": [");
        for (index, (known, count)) in self.0.iter().enumerate() {
            let entry = Entry {
                path: known.path.clone(),
                rule: known.rule.clone(),
                source: known.source.clone(),
                count: *count,
            };
            let comma = if index == 0 { "" } else { "," };
            let entry = serde_json::to_string(&entry).unwrap_or_default();
            text.push_str(&format!("{comma}\n    {entry}"));
        }
        text.push_str(if self.0.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        text
    }

    /// How many findings it lists.
    pub fn len(&self) -> usize {
        total(self.0.values())
    }

    /// Whether it lists none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out the findings it lists, each as often as it does; `looked_for` tells of a path and a rule whether this run
    /// would have found them, `is_there` whether there is a file of that name: one that is not has another name now.
    pub fn cover(
        &self,
        findings: Vec<Finding>,
        sources: &dyn SourceLookup,
        relative: &dyn Fn(&str) -> String,
        looked_for: &dyn Fn(&str, &str) -> bool,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Covered {
        let mut left = self.0.clone();
        let mut lines = Lines::new(sources);
        let mut covered = Covered::default();
        let mut others = Vec::new();
        for finding in findings {
            let name = lines.name(&finding, relative);
            match left.get_mut(&name) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    covered.known += 1;
                }
                _ => others.push((finding, name)),
            }
        }
        let mut moved: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (known, count) in left.iter().filter(|(it, _)| !is_there(&it.path)) {
            let left: &mut usize = moved
                .entry((known.rule.clone(), known.source.clone()))
                .or_default();
            *left = left.saturating_add(*count);
        }
        for (finding, name) in others {
            match moved.get_mut(&(name.rule, name.source)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    covered.known += 1;
                }
                _ => covered.new.push(finding),
            }
        }
        let gone = left.iter().filter(|(it, _)| looked_for(&it.path, &it.rule));
        covered.gone = total(gone.map(|(_, count)| count));
        covered
    }

    /// Takes over what a run found, and keeps what it did not look for.
    pub fn update(&mut self, newer: Baseline, looked_for: &dyn Fn(&str, &str) -> bool) {
        self.0.retain(|it, _| !looked_for(&it.path, &it.rule));
        self.0.extend(newer.0);
    }
}

/// The lines findings are in, each file split once.
struct Lines<'a> {
    sources: &'a dyn SourceLookup,
    files: BTreeMap<String, SourceText<'a>>,
}

impl<'a> Lines<'a> {
    fn new(sources: &'a dyn SourceLookup) -> Self {
        let files = BTreeMap::new();
        Lines { sources, files }
    }

    fn name(&mut self, finding: &Finding, relative: &dyn Fn(&str) -> String) -> Known {
        Known {
            path: relative(&finding.primary.path),
            rule: finding.rule.to_owned(),
            source: self.line(&finding.primary),
        }
    }

    fn line(&mut self, at: &Location) -> String {
        let sources = self.sources;
        let file = self
            .files
            .entry(at.path.to_string())
            .or_insert_with(|| SourceText::new(sources.bytes(&at.path).unwrap_or_default()));
        let line = file.line(file.line_of(at.span.start));
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * LONGEST_SOURCE)]);
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").chars().take(LONGEST_SOURCE).collect()
    }
}

/// A sum of counts; a file may say any.
fn total<'a>(counts: impl Iterator<Item = &'a usize>) -> usize {
    counts.fold(0, |sum, count| sum.saturating_add(*count))
}

fn once() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_once(count: &usize) -> bool {
    *count == 1
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn a_baseline_is_read_back() {
        let text = "{\n  \"version\": 1,\n  \"findings\": [\n    \
                    {\"path\":\"a.cu\",\"rule\":\"spin-without-preload\",\"source\":\"k<<<1, 1>>>();\"},\n    \
                    {\"path\":\"b.cu\",\"rule\":\"wait-before-write\",\"source\":\"\\\"x\\\"\",\"count\":3}\n  ]\n}\n";
        let baseline = Baseline::parse(text).expect("it is one");
        assert_eq!(baseline.len(), 4);
        assert_eq!(baseline.to_text(), text);
        let none = Baseline::default().to_text();
        assert_eq!(Baseline::parse(&none), Ok(Baseline::default()));
    }

    #[test]
    fn counts_stop_at_the_largest_and_none_is_no_entry() {
        let entry =
            |count: &str| format!("{{\"path\":\"a.cu\",\"rule\":\"x\",\"source\":\"y\",\"count\":{count}}}");
        let text = |entries: &[String]| format!("{{\"version\":1,\"findings\":[{}]}}", entries.join(","));
        let most = entry("18446744073709551615");
        let baseline = Baseline::parse(&text(&[most.clone(), most])).expect("it is one");
        assert_eq!(baseline.len(), usize::MAX);
        let none = Baseline::parse(&text(&[entry("0")])).expect("it is one");
        assert!(none.is_empty());
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        for text in ["", "[]", "{\"version\": 2, \"findings\": []}", "{\"version\": 1}"] {
            assert!(Baseline::parse(text).is_err(), "{text}");
        }
    }
}
