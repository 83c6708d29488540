//! Suppressions that keep nothing quiet, and how to take them out.

use std::collections::BTreeMap;

use super::super::rule::{RULES, Status};
use super::super::{Edit, Finding, Fix, Location, Safety};
use super::comment::Kind;
use super::{Comments, Enabled, Entry, Site, UNUSED, about_comment, has_own_lines};
use crate::syntax::Span;

/// The sites of the regions that each site ends.
type Ended = BTreeMap<usize, Vec<usize>>;

impl Comments<'_> {
    /// One finding for each site with rules that nothing was kept quiet of.
    pub(super) fn unused(&self, enabled: Enabled<'_>) -> Vec<Finding> {
        let mut named: BTreeMap<(usize, Option<usize>), Vec<&Entry>> = BTreeMap::new();
        for entry in &self.entries {
            named.entry((entry.site, entry.name)).or_default().push(entry);
        }
        let mut unused: BTreeMap<usize, Vec<&Entry>> = BTreeMap::new();
        for ((site, _), entries) in named {
            let path = &*self.files[self.sites[site].file].0.path;
            // A group is of use as soon as one of its rules is.
            let is_idle = |it: &&Entry| !it.used && could_be_used(it, path, enabled);
            if enabled(path, UNUSED.0) && entries.iter().all(is_idle) {
                unused.entry(site).or_default().extend(entries);
            }
        }
        let mut ended: Ended = BTreeMap::new();
        for entry in &self.entries {
            if let Some(end) = entry.end {
                ended.entry(end).or_default().push(entry.site);
            }
        }
        unused
            .iter()
            .map(|(site, entries)| self.unused_finding(&self.sites[*site], entries, &ended))
            .collect()
    }

    fn unused_finding(&self, site: &Site<'_>, entries: &[&Entry], ended: &Ended) -> Finding {
        let written = |entry: &Entry| {
            let alike = entries.iter().filter(|it| it.name == entry.name).count();
            let list = site.directive.list.as_ref().filter(|_| alike > 1);
            let group = list.and_then(|it| Some(it.names.get(entry.name?)?.written));
            group.or(entry.rule).map(|it| format!("`{it}`"))
        };
        let mut names: Vec<String> = entries.iter().filter_map(|it| written(it)).collect();
        names.dedup();
        let message = match names.is_empty() {
            true => "this suppression keeps nothing quiet".to_owned(),
            false => format!("this suppression keeps no {} quiet", names.join(" or ")),
        };
        let location = self.location(site.file, site.comment, site.exact, &site.directive.range);
        Finding {
            help: Some("remove it, or what it was written for comes back unseen".to_owned()),
            fix: self.removal(site, entries, ended),
            ..about_comment(UNUSED, location, message)
        }
    }

    /// Takes the names out, and the comment with the last of them.
    fn removal(&self, site: &Site<'_>, entries: &[&Entry], ended: &Ended) -> Option<Fix> {
        if !site.exact {
            return None;
        }
        // They are in the order of their names.
        let unused = |index: usize| entries.binary_search_by_key(&Some(index), |it| it.name).is_ok();
        let list = site.directive.list.as_ref();
        let left: Vec<&str> = list
            .iter()
            .flat_map(|list| list.names.iter().enumerate())
            .filter(|(index, _)| !unused(*index))
            .map(|(_, name)| name.written)
            .collect();
        let is_region = matches!(site.directive.kind, Kind::Begin(_));
        let edits = match list {
            Some(_) if !left.is_empty() && is_region => return None,
            Some(list) if !left.is_empty() => {
                let location = self.location(site.file, site.comment, true, &list.range);
                vec![Edit {
                    location,
                    replacement: left.join(", "),
                }]
            }
            _ => {
                let mut edits = vec![self.removed(site)];
                edits.extend(self.end_removal(entries, ended)?);
                edits
            }
        };
        Some(Fix {
            title: "remove the unused suppression".to_owned(),
            safety: Safety::Safe,
            edits,
            otherwise: None,
        })
    }

    /// Removes the comments that end the regions, when they end no other: `None` when they do.
    fn end_removal(&self, entries: &[&Entry], ended: &Ended) -> Option<Vec<Edit>> {
        let mut ends: Vec<usize> = entries.iter().filter_map(|entry| entry.end).collect();
        ends.sort_unstable();
        ends.dedup();
        let site = entries.first().map(|entry| entry.site);
        for end in &ends {
            let mut begun = ended.get(end).into_iter().flatten();
            let foreign = self.sites[*end]
                .directive
                .list
                .iter()
                .flat_map(|list| &list.names)
                .any(|it| it.rule.is_none());
            if foreign || !self.sites[*end].exact || begun.any(|it| Some(*it) != site) {
                return None;
            }
        }
        Some(ends.iter().map(|end| self.removed(&self.sites[*end])).collect())
    }

    /// Removes a directive: with its comment, and with its line, when nothing else is there.
    fn removed(&self, site: &Site<'_>) -> Edit {
        let (file, text) = &self.files[site.file];
        let bytes = text.bytes;
        let is_blank = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        let is_word = |at: usize| {
            bytes
                .get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let (mut start, mut end) = (site.comment.start as usize, site.comment.end as usize);
        if !site.alone {
            start += site.directive.range.start;
            end = site.comment.start as usize + site.directive.range.end;
        }
        while start > 0 && is_blank(start - 1) {
            start -= 1;
        }
        let takes_line = site.alone && has_own_lines(text, site.comment);
        if takes_line {
            let line = text.line_of(site.comment.end.saturating_sub(1));
            end = if line + 1 < text.line_count() {
                text.line_start(line + 1)
            } else {
                bytes.len()
            };
        }
        // The comment may have taken the end of its line with it, which stays.
        while !takes_line && end > start && matches!(bytes.get(end - 1), Some(b'\n' | b'\r')) {
            end -= 1;
        }
        let joins_words = start > 0 && is_word(start - 1) && is_word(end);
        let replacement = if joins_words { " " } else { "" }.to_owned();
        let span = Span {
            start: start as u32,
            end: end as u32,
        };
        Edit {
            location: Location {
                path: file.path.clone(),
                span,
            },
            replacement,
        }
    }
}

/// Whether it is a mistake that nothing was kept quiet: the rules did run, and are not about suppressions.
fn could_be_used(entry: &Entry, path: &str, enabled: Enabled<'_>) -> bool {
    match entry.rule {
        Some(rule) => rule != UNUSED.0 && enabled(path, rule),
        None => RULES
            .iter()
            .filter(|rule| rule.status == Status::Stable)
            .all(|rule| enabled(path, rule.name)),
    }
}
