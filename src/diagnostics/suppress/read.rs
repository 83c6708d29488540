//! Finds the suppressions in comments, what each covers, and what is wrong with them.

use std::collections::BTreeMap;

use super::super::rule::{meant, suggestion};
use super::super::source::SourceText;
use super::super::{Edit, Fix, Location, Safety};
use super::comment::{Family, Kind, Malformed, parse};
use super::{
    CommentedFile, Comments, Enabled, Entry, MALFORMED, Scope, Site, UNKNOWN, about_comment, has_own_lines,
};
use crate::syntax::Span;

impl<'a> Comments<'a> {
    pub(super) fn read(files: &'a [CommentedFile<'a>], enabled: Enabled<'_>) -> Self {
        let mut comments = Comments {
            files: files
                .iter()
                .map(|file| (file, SourceText::new(file.bytes)))
                .collect(),
            by_path: files
                .iter()
                .enumerate()
                .map(|(index, file)| (&*file.path, index))
                .collect(),
            sites: Vec::new(),
            entries: Vec::new(),
            by_file: files.iter().map(|_| BTreeMap::new()).collect(),
            problems: Vec::new(),
        };
        for (index, file) in files.iter().enumerate() {
            let mut ordered: Vec<&(Span, String)> = file.comments.iter().collect();
            ordered.sort_by_key(|(span, _)| *span);
            let mut reading = Reading::default();
            for (span, text) in ordered {
                comments.read_comment(index, *span, text, enabled, &mut reading);
            }
        }
        comments
    }

    fn read_comment(
        &mut self,
        file: usize,
        span: Span,
        text: &'a str,
        enabled: Enabled<'_>,
        reading: &mut Reading,
    ) {
        let exact = text.len() == span.end.saturating_sub(span.start) as usize;
        let parsed = parse(text);
        let alone = parsed.len() == 1;
        for item in parsed {
            match item {
                Ok(directive) => {
                    let alone = alone && directive.leads;
                    let site = Site {
                        file,
                        comment: span,
                        exact,
                        directive,
                        alone,
                    };
                    self.add_site(site, enabled, reading);
                }
                Err(Malformed { range, problem }) => {
                    let location = self.location(file, span, exact, &range);
                    self.report(enabled, MALFORMED, location, problem);
                }
            }
        }
    }

    fn add_site(&mut self, site: Site<'a>, enabled: Enabled<'_>, reading: &mut Reading) {
        let index = self.sites.len();
        let names = self.resolved(&site, enabled);
        let file = site.file;
        let kind = site.directive.kind;
        self.sites.push(site);
        if let Kind::End(family) = kind {
            return self.close(index, family, &names, enabled, &mut reading.open);
        }
        let scope = self.scope(&self.sites[index], &mut reading.skipped);
        for (name, rule) in names {
            if let Kind::Begin(_) = kind {
                reading.open.push(self.entries.len());
            }
            let entry = Entry {
                site: index,
                name,
                rule,
                scope,
                used: false,
                end: None,
            };
            self.add_entry(file, entry);
        }
    }

    /// Which name means which rule; unknown ones are reported and left out.
    fn resolved(
        &mut self,
        site: &Site<'_>,
        enabled: Enabled<'_>,
    ) -> Vec<(Option<usize>, Option<&'static str>)> {
        let Some(list) = &site.directive.list else {
            return vec![(None, None)];
        };
        let mut resolved = Vec::new();
        for (index, name) in list.names.iter().enumerate() {
            match name.rule {
                None => {}
                Some("*") => resolved.push((Some(index), None)),
                Some(rule) => match &meant(rule)[..] {
                    rules if !rules.is_empty() => {
                        resolved.extend(rules.iter().map(|it| (Some(index), Some(it.name))));
                    }
                    _ => {
                        let location = self.location(site.file, site.comment, site.exact, &name.range);
                        let prefix = &name.written[..name.written.len() - rule.len()];
                        self.report_unknown(enabled, location, prefix, rule, site.exact);
                    }
                },
            }
        }
        resolved
    }

    /// Ends regions: those of the named enabled, or all of the family.
    fn close(
        &mut self,
        site: usize,
        family: Family,
        names: &[(Option<usize>, Option<&'static str>)],
        enabled: Enabled<'_>,
        open: &mut Vec<usize>,
    ) {
        for (name, rule) in names {
            let entries = &self.entries;
            let is_meant = |entry: &usize| {
                let entry = &entries[*entry];
                self.sites[entry.site].directive.kind == Kind::Begin(family)
                    && (name.is_none() || entry.rule == *rule)
            };
            let closed: Vec<usize> = match name {
                // The innermost of them.
                Some(_) => open
                    .iter()
                    .rposition(is_meant)
                    .map(|it| open.remove(it))
                    .into_iter()
                    .collect(),
                None => open.extract_if(.., |it| is_meant(it)).collect(),
            };
            if closed.is_empty() {
                let site = &self.sites[site];
                let location = self.location(site.file, site.comment, site.exact, &site.directive.range);
                self.report(
                    enabled,
                    MALFORMED,
                    location,
                    "nothing is disabled here that this could end".to_owned(),
                );
                continue;
            }
            let end = self.sites[site].comment.start;
            for entry in &closed {
                let entry = &mut self.entries[*entry];
                entry.end = Some(site);
                if let Scope::Region(_, region_end) = &mut entry.scope {
                    *region_end = end;
                }
            }
        }
    }

    fn scope(&self, site: &Site<'_>, skipped: &mut Skipped) -> Scope {
        let (_, text) = &self.files[site.file];
        let first = text.line_of(site.comment.start);
        let last = text.line_of(site.comment.end.saturating_sub(1).max(site.comment.start));
        match site.directive.kind {
            Kind::IgnoreFile => Scope::File,
            Kind::Begin(_) | Kind::End(_) => Scope::Region(site.comment.end, u32::MAX),
            Kind::IgnoreLine => Scope::Lines(first, last),
            Kind::Ignore if !has_own_lines(text, site.comment) => Scope::Lines(first, last),
            Kind::Ignore | Kind::IgnoreNext => {
                let (first, last) = next_statement(text, site.comment.end, skipped);
                Scope::Lines(first, last)
            }
        }
    }

    fn report(
        &mut self,
        enabled: Enabled<'_>,
        rule: (&'static str, &'static str),
        location: Location,
        message: String,
    ) {
        if enabled(&location.path, rule.0) {
            self.problems.push(about_comment(rule, location, message));
        }
    }

    fn report_unknown(
        &mut self,
        enabled: Enabled<'_>,
        location: Location,
        prefix: &str,
        name: &str,
        exact: bool,
    ) {
        if !enabled(&location.path, UNKNOWN.0) {
            return;
        }
        let mut finding = about_comment(UNKNOWN, location.clone(), format!("there is no rule `{name}`"));
        if let Some(meant) = suggestion(name) {
            finding.help = Some(format!("did you mean `{meant}`?"));
            finding.fix = exact.then(|| Fix {
                title: format!("name `{meant}`"),
                safety: Safety::Unsafe,
                edits: vec![Edit {
                    location,
                    replacement: format!("{prefix}{meant}"),
                }],
                otherwise: None,
            });
        }
        self.problems.push(finding);
    }
}

/// What is known while the comments of one file are read in order.
#[derive(Default)]
struct Reading {
    /// Regions that nothing has ended yet.
    open: Vec<usize>,
    skipped: Skipped,
}

/// The comments that were skipped last: from the middle of a stack of them the way leads to the same end.
#[derive(Default)]
struct Skipped {
    /// Where white space behind each of them ends, in order.
    stops: Vec<usize>,
}

/// Lines of the first statement behind an offset, comments skipped: up to the first `;`, `{` or `}`.
fn next_statement(text: &SourceText<'_>, offset: u32, skipped: &mut Skipped) -> (usize, usize) {
    let start = skip_comments(text.bytes, offset as usize, skipped);
    let first = text.line_of(start as u32);
    let is_end = |byte: &u8| matches!(byte, b';' | b'{' | b'}');
    let longest = first + LONGEST_STATEMENT;
    let last = (first..longest.min(text.line_count())).find(|line| text.line(*line).iter().any(is_end));
    (first, last.unwrap_or(first))
}

/// A statement over more lines is taken to be something else.
const LONGEST_STATEMENT: usize = 30;

fn skip_comments(bytes: &[u8], from: usize, skipped: &mut Skipped) -> usize {
    let mut at = skip_space(bytes, from.min(bytes.len()));
    if let (Ok(_), Some(end)) = (skipped.stops.binary_search(&at), skipped.stops.last()) {
        return *end;
    }
    skipped.stops.clear();
    loop {
        skipped.stops.push(at);
        let rest = &bytes[at..];
        at += if rest.starts_with(b"//") {
            memchr::memchr(b'\n', rest).unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
        } else {
            return at;
        };
        at = skip_space(bytes, at);
    }
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let is_space = |byte: &&u8| byte.is_ascii_whitespace();
    from + bytes[from..].iter().take_while(is_space).count()
}
