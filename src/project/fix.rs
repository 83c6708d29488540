//! Fixes applied to a project in memory, round after round, each one kept only when the analysis of the result bears it out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::Error;
use super::analyse::{Analysis, facts_of};
use super::discover::{Discovered, SourceFile};
use super::session::{Session, Stop};
use crate::diagnostics::fingerprint::without_lines;
use crate::diagnostics::rule::rule;
use crate::diagnostics::{Finding, Fix, Safety, Severity, edits};
use crate::syntax::Span;

/// Rounds of fixes: what one fix brings to light, the next one fixes.
const ROUNDS: usize = 10;

/// Analyses of a whole run.
const ANALYSES: usize = 60;

/// What may be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Fixes that never change what the program means.
    Safe,
    /// Those that are probably what was meant, too.
    Unsafe,
}

/// What fixing came to.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The analysis of what is left.
    pub analysis: Analysis,
    /// Files that are different now, by shown path.
    pub files: BTreeMap<Arc<str>, Change>,
    /// What was applied, in order.
    pub applied: Vec<Applied>,
    /// What was tried and taken back, or could not be tried, and why.
    pub refused: Vec<Refused>,
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it is.
    pub path: PathBuf,
    /// Its bytes as they were read.
    pub before: Arc<[u8]>,
    /// Its bytes as they are to be.
    pub after: Arc<[u8]>,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule.
    pub rule: &'static str,
    /// What it did.
    pub title: String,
    /// Files it changed, as shown.
    pub files: Vec<Arc<str>>,
}

/// A fix that was not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    /// Where the finding is, as shown.
    pub path: Arc<str>,
    /// What the fix would do.
    pub title: String,
    /// Why not.
    pub reason: &'static str,
}

impl Permission {
    /// Whether a fix may be applied.
    pub fn covers(self, fix: &Fix) -> bool {
        match fix.safety {
            Safety::Safe => true,
            Safety::Unsafe => self == Permission::Unsafe,
            Safety::DisplayOnly => false,
        }
    }
}

/// Analyses a project and applies the fixes of its findings until none is left.
pub fn fix(
    project: &Discovered,
    jobs: usize,
    keep_suppressed: bool,
    permission: Permission,
) -> Result<Fixed, Error> {
    let session = Session::lasting(jobs)?;
    fix_in(&session, project, keep_suppressed, permission, &Stop::default())
}

/// The same where checks of the project came before.
pub fn fix_in(
    session: &Session,
    project: &Discovered,
    keep_suppressed: bool,
    permission: Permission,
    stop: &Stop,
) -> Result<Fixed, Error> {
    let mut run = Run {
        project: project.clone(),
        session,
        stop,
        keep_suppressed,
        permission,
        fixed: Fixed::default(),
        denied: BTreeSet::new(),
        analyses: 0,
    };
    run.fixed.analysis = run.analyse(&BTreeMap::new())?;
    for _ in 0..ROUNDS {
        if !run.round()? {
            break;
        }
    }
    run.fixed.refused.sort();
    run.fixed.refused.dedup();
    Ok(run.fixed)
}

struct Run<'a> {
    project: Discovered,
    session: &'a Session,
    stop: &'a Stop,
    keep_suppressed: bool,
    permission: Permission,
    fixed: Fixed,
    /// Fixes that were tried in vain.
    denied: BTreeSet<(Key, String)>,
    analyses: usize,
}

/// What makes two findings before and after a change the same one.
type Key = (&'static str, Arc<str>, String);

/// New contents of files by shown path.
type Contents = BTreeMap<Arc<str>, Arc<[u8]>>;

impl Run<'_> {
    /// One round; `false` when nothing was changed.
    fn round(&mut self) -> Result<bool, Error> {
        let candidates = self.candidates();
        let together = edits::compatible(candidates.iter().map(|it| &it.1));
        let together: BTreeSet<*const Fix> = together.into_iter().map(std::ptr::from_ref).collect();
        let together: Vec<&(Finding, Fix)> = candidates
            .iter()
            .filter(|it| together.contains(&std::ptr::from_ref(&it.1)))
            .collect();
        if together.is_empty() {
            return Ok(false);
        }
        if together.len() > 1 && self.attempt(&together)?.is_ok() {
            return Ok(true);
        }
        for one in together {
            match self.attempt(&[one])? {
                // Places have moved: the next round sees the others where they are now.
                Ok(()) => return Ok(true),
                Err(reason) => self.deny(one, reason),
            }
        }
        // Those that did not go together with one that was denied may be tried now.
        Ok(true)
    }

    /// Findings with a fix that may be applied.
    fn candidates(&self) -> Vec<(Finding, Fix)> {
        let findings = self.fixed.analysis.findings.iter();
        findings
            .filter_map(|finding| {
                let mut fixes = finding.fix.iter().flat_map(Fix::all);
                Some((
                    finding.clone(),
                    fixes.find(|it| self.may_try(finding, it))?.clone(),
                ))
            })
            .collect()
    }

    fn may_try(&self, finding: &Finding, fix: &Fix) -> bool {
        self.permission.covers(fix)
            && !fix.edits.is_empty()
            && fix.edits.iter().all(|it| self.is_reported(&it.location.path))
            && !self.denied.contains(&(key(finding), fix.title.clone()))
    }

    /// Only files that were asked for are changed.
    fn is_reported(&self, path: &str) -> bool {
        let mut files = self.project.files.iter();
        files.any(|it| it.reported && *it.shown == *path)
    }

    fn deny(&mut self, (finding, fix): &(Finding, Fix), reason: &'static str) {
        self.denied.insert((key(finding), fix.title.clone()));
        self.fixed.refused.push(Refused {
            path: Arc::clone(&finding.primary.path),
            title: fix.title.clone(),
            reason,
        });
    }

    /// Applies some fixes and keeps them when that helps.
    fn attempt(&mut self, fixes: &[&(Finding, Fix)]) -> Result<Result<(), &'static str>, Error> {
        if self.analyses >= ANALYSES {
            return Ok(Err("too much was tried already"));
        }
        let chosen: Vec<&Fix> = fixes.iter().map(|it| &it.1).collect();
        let mut contents = Contents::new();
        let mut inserted = Vec::new();
        for (path, edits) in edits::by_file(&chosen) {
            let Some((path, bytes)) = self.fixed.analysis.sources.get_key_value(path) else {
                return Ok(Err("the file was not read"));
            };
            if std::str::from_utf8(bytes).is_err() {
                return Ok(Err("the file is not UTF-8"));
            }
            let Some(after) = edits::apply(bytes, &edits) else {
                return Ok(Err("its edits do not fit the file"));
            };
            if broken(&after) > broken(bytes) {
                return Ok(Err("the result could not be parsed"));
            }
            inserted.extend(spans_of(&edits).map(|span| (Arc::clone(path), span)));
            contents.insert(Arc::clone(path), after);
        }
        let analysis = self.analyse(&contents)?;
        if let Err(reason) = judge(&self.fixed.analysis, &analysis, fixes, &inserted) {
            return Ok(Err(reason));
        }
        self.keep(contents, analysis, fixes);
        Ok(Ok(()))
    }

    /// The project with other contents of some files.
    fn analyse(&mut self, contents: &Contents) -> Result<Analysis, Error> {
        self.analyses += 1;
        let mut project = self.project.clone();
        set_contents(&mut project.files, contents);
        self.session.analyse(project, self.keep_suppressed, self.stop)
    }

    fn keep(&mut self, contents: Contents, analysis: Analysis, fixes: &[&(Finding, Fix)]) {
        for (path, after) in &contents {
            let Some(file) = self.project.files.iter().find(|it| it.shown == *path) else {
                continue;
            };
            let before = self.fixed.analysis.sources.get(path).cloned().unwrap_or_default();
            let change = self
                .fixed
                .files
                .entry(Arc::clone(path))
                .or_insert_with(|| Change {
                    path: file.path.clone(),
                    before,
                    after: Arc::clone(after),
                });
            change.after = Arc::clone(after);
        }
        set_contents(&mut self.project.files, &contents);
        self.fixed.applied.extend(fixes.iter().map(|(finding, fix)| {
            let files: BTreeSet<Arc<str>> =
                fix.edits.iter().map(|it| Arc::clone(&it.location.path)).collect();
            Applied {
                rule: finding.rule,
                title: fix.title.clone(),
                files: files.into_iter().collect(),
            }
        }));
        self.fixed.analysis = analysis;
    }
}

fn set_contents(files: &mut [SourceFile], contents: &Contents) {
    for file in files {
        if let Some(content) = contents.get(&file.shown) {
            file.content = Some(Arc::clone(content));
        }
    }
}

/// Whether an analysis after some fixes is better than the one before.
fn judge(
    before: &Analysis,
    after: &Analysis,
    fixes: &[&(Finding, Fix)],
    inserted: &[(Arc<str>, Span)],
) -> Result<(), &'static str> {
    if after.internal_errors.len() > before.internal_errors.len() {
        return Err("the result could not be analysed");
    }
    let (old, new) = (counts(&before.findings), counts(&after.findings));
    let count = |counts: &BTreeMap<Key, usize>, key: &Key| counts.get(key).copied().unwrap_or(0);
    let mut fixed: BTreeMap<Key, usize> = BTreeMap::new();
    for (finding, _) in fixes {
        *fixed.entry(key(finding)).or_default() += 1;
    }
    for (key, fixed) in &fixed {
        if count(&new, key) + fixed > count(&old, key) {
            return Err("the finding would still be there");
        }
    }
    let is_added =
        |it: &&Finding| it.severity > Severity::Info && count(&new, &key(it)) > count(&old, &key(it));
    for finding in after.findings.iter().filter(is_added) {
        let in_fix = inserted.iter().any(|(path, span)| {
            *path == finding.primary.path
                && span.start < finding.primary.span.end
                && finding.primary.span.start < span.end
        });
        let group = rule(finding.rule).map_or("", |it| it.group);
        let known = fixes
            .iter()
            .any(|(other, _)| rule(other.rule).is_some_and(|it| it.group == group));
        if in_fix || !known {
            return Err("something else would be found then");
        }
    }
    match new.values().sum::<usize>() > old.values().sum() {
        true => Err("more would be found then"),
        false => Ok(()),
    }
}

fn counts(findings: &[Finding]) -> BTreeMap<Key, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings
        .iter()
        .filter(|it| it.severity > Severity::Info || it.fix.is_some())
    {
        *counts.entry(key(finding)).or_default() += 1;
    }
    counts
}

fn key(finding: &Finding) -> Key {
    (
        finding.rule,
        Arc::clone(&finding.primary.path),
        without_lines(&finding.message),
    )
}

/// Where replacements are in the file after the edits.
fn spans_of(edits: &[&crate::diagnostics::Edit]) -> impl Iterator<Item = Span> {
    let mut moved: i64 = 0;
    let mut spans = Vec::new();
    for edit in edits {
        let (span, length) = (edit.location.span, edit.replacement.len() as i64);
        let start = i64::from(span.start) + moved;
        let at = |it: i64| u32::try_from(it).unwrap_or(0);
        spans.push(Span {
            start: at(start),
            end: at(start + length),
        });
        moved += length - i64::from(span.end - span.start);
    }
    spans.into_iter()
}

/// Bytes the parser does not understand.
fn broken(bytes: &[u8]) -> u64 {
    facts_of(bytes).map_or(u64::MAX, |it| it.quality.error_bytes)
}
