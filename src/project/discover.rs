//! The walk: paths say what is reported, the project they are in says what is indexed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::Error;
use super::progress::Progress;
use crate::config::{FILE_NAME, FileSettings, Globs, Settings, Store, read};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Files and directories to report on; never empty.
    pub paths: Vec<PathBuf>,
    /// The working directory: relative paths start here, and shown paths are relative to it.
    pub working_directory: PathBuf,
    /// Leave out what `.gitignore` and `.ignore` files name.
    pub respect_gitignore: bool,
    /// Contents that hold instead of those on disk (standard input, what an editor has open), by path. A file among
    /// them need not exist: it is reported on when it is named, or when a directory that is would hold it.
    pub contents: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Report on these files only (absolute paths); `None` for all the paths hold.
    pub only: Option<BTreeSet<PathBuf>>,
}

/// A file to index.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Absolute path.
    pub path: PathBuf,
    /// Path as the user will see it, `/`-separated.
    pub shown: Arc<str>,
    /// Findings in it are reported.
    pub reported: bool,
    /// It was named itself, not found in a directory.
    pub named: bool,
    /// What holds for it.
    pub settings: Arc<FileSettings>,
    /// Its content when it does not come from disk.
    pub content: Option<Arc<[u8]>>,
}

/// What the walk found.
#[derive(Clone, Debug)]
pub struct Discovered {
    /// The project: what is indexed. `None` when the paths lie in no project and stand for themselves.
    pub root: Option<PathBuf>,
    /// Settings of the run as a whole.
    pub settings: Arc<Settings>,
    /// Files by path.
    pub files: Vec<SourceFile>,
    /// What went wrong on the way without stopping it.
    pub warnings: Vec<String>,
    /// How far the run has come.
    pub progress: Arc<Progress>,
}

impl Discovered {
    /// The compile database files are read with: the one that was asked for, or the one at the top of the project.
    pub fn compile_database(&self) -> Option<PathBuf> {
        let asked_for = self.settings.compile_commands.clone();
        asked_for.or_else(|| super::analyse::found_database(self.root.as_deref()))
    }
}

/// What marks the top of a project.
const PROJECT_MARKERS: [&str; 3] = [FILE_NAME, ".git", super::compile_commands::FILE_NAME];

/// Extensions that are read without being named.
pub const EXTENSIONS: [&str; 14] = [
    "cu", "cuh", "cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "inl", "ipp", "c++", "h++",
];

/// Finds the project, its files and their settings.
pub fn discover(request: &Request, store: &mut Store) -> Result<Discovered, Error> {
    let contents = contents(request);
    let targets = targets(request, &contents)?;
    let start = common_directory(&targets);
    let settings = store.for_directory(&start)?;
    let root = project_root(&start);

    let mut warnings = Vec::new();
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    if let Some(root) = root {
        walk(root, request, &settings, &mut found, &mut warnings);
    }
    let mut reported: BTreeSet<PathBuf> = BTreeSet::new();
    for target in &targets {
        if !target.is_directory {
            reported.insert(target.path.clone());
        } else if root == Some(target.path.as_path()) {
            reported.extend(found.iter().cloned());
        } else {
            walk(&target.path, request, &settings, &mut reported, &mut warnings);
        }
        if target.is_directory {
            let unsaved = contents.keys().filter(|it| it.starts_with(&target.path));
            let unsaved = unsaved.filter(|it| has_source_extension(it) && !it.exists());
            let excluded = |it: &Path| settings.exclude.iter().any(|globs| globs.matches(it, false));
            reported.extend(unsaved.filter(|it| !excluded(it)).cloned());
        }
    }
    found.extend(reported.iter().cloned());
    if root.is_none() {
        found.extend(super::beside::included(&found, &contents, &mut warnings));
    }
    if let Some(only) = &request.only {
        reported.retain(|it| only.contains(it));
    }
    if let Some(root) = root {
        warnings.extend(idle_overrides(root, &settings, &found));
        warnings.extend(idle_excludes(root, &settings));
    }

    let mut files = Vec::with_capacity(found.len());
    for path in found {
        let is_reported = reported.contains(&path);
        let named = targets.iter().any(|target| target.path == path);
        let directory = path.parent().unwrap_or(&start);
        let nearest = match store.for_directory(directory) {
            Ok(nearest) => nearest,
            Err(error) if is_reported => return Err(error.into()),
            Err(_) => Arc::clone(&settings),
        };
        if !named && nearest.exclude.iter().any(|globs| globs.matches(&path, false)) {
            continue;
        }
        files.push(SourceFile {
            shown: shown(&path, &request.working_directory, &targets),
            reported: is_reported,
            named,
            settings: nearest.for_file(&path),
            content: contents.get(&path).cloned(),
            path,
        });
    }
    Ok(Discovered {
        root: root.map(Path::to_owned),
        settings,
        files,
        warnings,
        progress: Arc::default(),
    })
}

/// The project a directory is in: the closest one going up that holds a mark of one.
pub fn project_root(directory: &Path) -> Option<&Path> {
    let marked = |it: &&Path| PROJECT_MARKERS.iter().any(|marker| it.join(marker).exists());
    directory.ancestors().find(marked)
}

/// Globs of `[[overrides]]` in the project's own configuration that match none of its files: probably misspelt.
fn idle_overrides(root: &Path, settings: &Settings, files: &BTreeSet<PathBuf>) -> Vec<String> {
    let mut idle = Vec::new();
    for globs in settings.override_globs().filter(|it| it.base().starts_with(root)) {
        let used: BTreeSet<&str> = files.iter().filter_map(|it| globs.matching(it)).collect();
        // The last glob that matches decides: one that is always followed by another match is of use, too.
        let unused = globs.written().iter().filter(|it| !used.contains(it.as_str()));
        let is_idle = |it: &&String| {
            let alone = globs.alone(it);
            !files
                .iter()
                .any(|file| alone.as_ref().is_some_and(|it| it.matches(file, false)))
        };
        idle.extend(unused.filter(is_idle).map(|it| {
            format!(
                "{}`{it}` in `[[overrides]]` matches no file of the project",
                place(settings, globs, it)
            )
        }));
    }
    idle
}

/// Globs of `exclude` in the project's own configuration that name what is not there.
fn idle_excludes(root: &Path, settings: &Settings) -> Vec<String> {
    let own = settings.exclude.iter().filter(|it| it.base().starts_with(root));
    let mut idle = Vec::new();
    for globs in own {
        let missing = globs
            .written()
            .iter()
            .filter(|it| begins_nowhere(globs.base(), it));
        // Flags have no place in a file, and are short-lived.
        let placed = missing.map(|it| (place(settings, globs, it), it));
        let placed = placed.filter(|(place, _)| !place.is_empty());
        idle.extend(placed.map(|(place, it)| format!("{place}`{it}` in `exclude` matches nothing")));
    }
    idle
}

/// Whether a glob is anchored in a folder or file that does not exist; one that may match at any depth is not.
fn begins_nowhere(base: &Path, glob: &str) -> bool {
    let is_wild = |it: &str| it.contains(['*', '?', '[', '{', '\\']);
    let anchored = glob.trim_start_matches('!').trim_start_matches('/');
    let inner = anchored.trim_end_matches('/');
    if !inner.contains('/') && !glob.starts_with('/') {
        return false;
    }
    let literal: PathBuf = inner.split('/').take_while(|it| !is_wild(it)).collect();
    !literal.as_os_str().is_empty() && !base.join(literal).exists()
}

/// `FILE:LINE: ` of a glob in the configuration that says it; nothing for one of the command line.
fn place(settings: &Settings, globs: &Globs, glob: &str) -> String {
    let quoted = [format!("\"{glob}\""), format!("'{glob}'")];
    let beside = settings
        .files
        .iter()
        .filter(|it| it.parent() == Some(globs.base()));
    let mut places = beside.filter_map(|file| {
        let text = read::text(file, read::MOST_OF_CONFIGURATION).ok()?;
        let line = text
            .lines()
            .position(|it| quoted.iter().any(|quoted| it.contains(quoted.as_str())))?;
        Some(format!("{}:{}: ", file.display(), line + 1))
    });
    places.next().unwrap_or_default()
}

/// One path of the command line.
struct Target {
    /// Absolute, links resolved.
    path: PathBuf,
    /// As given.
    given: PathBuf,
    is_directory: bool,
}

fn targets(request: &Request, contents: &BTreeMap<PathBuf, Arc<[u8]>>) -> Result<Vec<Target>, Error> {
    let target = |given: &PathBuf| {
        let missing = |reason| Error::MissingPath {
            path: given.clone(),
            reason,
        };
        let path = match absolute(given, request) {
            path if contents.contains_key(&path) => path,
            path => path.canonicalize().map_err(missing)?,
        };
        Ok(Target {
            is_directory: path.is_dir(),
            path,
            given: given.clone(),
        })
    };
    request.paths.iter().map(target).collect()
}

/// The given contents by absolute path.
fn contents(request: &Request) -> BTreeMap<PathBuf, Arc<[u8]>> {
    let contents = request.contents.iter();
    contents
        .map(|(given, bytes)| (absolute(given, request), Arc::clone(bytes)))
        .collect()
}

/// The path from the root of the file system, links resolved where it exists.
fn absolute(given: &Path, request: &Request) -> PathBuf {
    let absolute = request.working_directory.join(given);
    absolute.canonicalize().unwrap_or_else(|_| normalise(&absolute))
}

/// Takes out `.` and `..` without asking the disk.
pub(super) fn normalise(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// The deepest directory that holds all targets.
fn common_directory(targets: &[Target]) -> PathBuf {
    let directory = |target: &Target| match target.path.parent() {
        Some(parent) if !target.is_directory => parent.to_owned(),
        _ => target.path.clone(),
    };
    let mut directories = targets.iter().map(directory);
    let mut common = directories.next().unwrap_or_default();
    for it in directories {
        while !it.starts_with(&common) && common.pop() {}
    }
    common
}

/// Adds the source files under `directory`, in parallel; the order comes from the set.
fn walk(
    directory: &Path,
    request: &Request,
    settings: &Settings,
    files: &mut BTreeSet<PathBuf>,
    warnings: &mut Vec<String>,
) {
    let exclude: Vec<Globs> = settings.exclude.clone();
    let mut builder = WalkBuilder::new(directory);
    builder
        .standard_filters(false)
        .hidden(true)
        .follow_links(false)
        .threads(rayon::current_num_threads());
    let unread = odd_ignore_files(directory);
    warnings.extend(
        unread
            .iter()
            .map(|it| format!("{it}; nothing is left out for ignore files")),
    );
    if request.respect_gitignore && unread.is_empty() {
        builder
            .parents(true)
            .ignore(true)
            .git_ignore(true)
            .git_exclude(true)
            .git_global(true)
            .require_git(false);
    }
    let odd_ones = Arc::new(Mutex::new(BTreeSet::new()));
    let skipped = Arc::clone(&odd_ones);
    let respect = request.respect_gitignore;
    builder.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|it| it.is_dir());
        if is_directory && respect {
            let why = IGNORE_FILES.iter().find_map(|it| odd(&entry.path().join(it)));
            if let Some(why) = why {
                let mut skipped = skipped.lock().unwrap_or_else(PoisonError::into_inner);
                skipped.insert(format!("skipped `{}`: {why}", entry.path().display()));
                return false;
            }
        }
        !exclude
            .iter()
            .any(|globs| globs.matches(entry.path(), is_directory))
    });
    let results = Mutex::new((files, BTreeMap::new()));
    builder.build_parallel().run(|| {
        let mut found = Batch {
            results: &results,
            files: Vec::new(),
            problems: Vec::new(),
        };
        Box::new(move |entry| {
            match entry {
                Ok(entry) if is_source(&entry) => found.files.push(entry.into_path()),
                Ok(_) => {}
                Err(error) => found.problems.push(error.to_string()),
            }
            WalkState::Continue
        })
    });
    let (_, problems) = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    warnings.extend(
        problems
            .into_keys()
            .map(|problem: String| format!("skipped: {problem}")),
    );
    let odd = std::mem::take(&mut *odd_ones.lock().unwrap_or_else(PoisonError::into_inner));
    warnings.extend(odd);
}

/// Files that say what the walk leaves out.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Longer lists of what to leave out are none.
const MOST_OF_IGNORE_FILE: u64 = 16 << 20;

/// What keeps the ignore files that hold for a directory from being read: none of them is a device or has no end.
fn odd_ignore_files(directory: &Path) -> Vec<String> {
    let beside = IGNORE_FILES.iter().map(Path::new);
    let names: Vec<&Path> = beside.chain([Path::new(".git/info/exclude")]).collect();
    let paths = directory
        .ancestors()
        .flat_map(|it| names.iter().map(move |name| it.join(name)));
    paths.filter_map(|it| odd(&it)).collect()
}

/// Why an ignore file is not read; `None` also where there is none.
fn odd(path: &Path) -> Option<String> {
    let found = std::fs::metadata(path).ok()?;
    let why = match found.is_file() {
        false if found.is_dir() => return None,
        false => "it is no regular file".to_owned(),
        true if found.len() <= MOST_OF_IGNORE_FILE => return None,
        true => format!(
            "{} MB is more than the {} MB that are read",
            found.len() >> 20,
            MOST_OF_IGNORE_FILE >> 20
        ),
    };
    Some(format!("cannot read `{}`: {why}", path.display()))
}

/// What one walking thread found; handed over when the thread ends.
struct Batch<'a, 'b> {
    results: &'a Mutex<(&'b mut BTreeSet<PathBuf>, BTreeMap<String, ()>)>,
    files: Vec<PathBuf>,
    problems: Vec<String>,
}

impl Drop for Batch<'_, '_> {
    fn drop(&mut self) {
        let mut results = self
            .results
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        results.0.extend(self.files.drain(..));
        results
            .1
            .extend(self.problems.drain(..).map(|problem| (problem, ())));
    }
}

fn is_source(entry: &DirEntry) -> bool {
    has_source_extension(entry.path()) && entry.file_type().is_some_and(|it| it.is_file())
}

/// Whether files of this name are read without being named.
pub fn has_source_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|extension| EXTENSIONS.iter().any(|it| it.eq_ignore_ascii_case(extension)))
}

/// The path to show: relative to the working directory where that needs no `..`, else as the user began it.
fn shown(path: &Path, working_directory: &Path, targets: &[Target]) -> Arc<str> {
    let relative = path.strip_prefix(working_directory).map(Path::to_owned);
    let as_given = || {
        targets.iter().find_map(|target| {
            let rest = path.strip_prefix(&target.path).ok()?;
            Some(if rest.as_os_str().is_empty() {
                target.given.clone()
            } else {
                target.given.join(rest)
            })
        })
    };
    let path = relative.ok().or_else(as_given).unwrap_or_else(|| path.to_owned());
    slashed(&path)
}

/// A path with `/` between its parts.
pub(super) fn slashed(path: &Path) -> Arc<str> {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/").into()
    }
}
