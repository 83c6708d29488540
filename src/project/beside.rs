//! Headers of files that lie in no project: what they include from beside themselves is read with them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::companions::includes;
use super::discover::{has_source_extension, normalise};
use super::session::MAX_FILE_BYTES;
use crate::config::read;

/// More headers than this belong to something that is no loose file.
const MOST_HEADERS: usize = 1000;

/// The files that `files` include by paths from their own folders, and those that these include in turn. Directives are
/// taken as they stand, whatever condition they are under; what cannot be read includes nothing.
pub(super) fn included(
    files: &BTreeSet<PathBuf>,
    contents: &BTreeMap<PathBuf, Arc<[u8]>>,
    warnings: &mut Vec<String>,
) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open: Vec<PathBuf> = files.iter().cloned().collect();
    while let Some(file) = open.pop() {
        for header in headers_of(&file, contents) {
            if files.contains(&header) || found.contains(&header) {
                continue;
            }
            if found.len() == MOST_HEADERS {
                warnings.push(format!(
                    "only {MOST_HEADERS} of the headers that the files include were read with them"
                ));
                return found;
            }
            open.push(header.clone());
            found.insert(header);
        }
    }
    found
}

/// The files one file includes from beside itself.
fn headers_of(file: &Path, contents: &BTreeMap<PathBuf, Arc<[u8]>>) -> Vec<PathBuf> {
    let Some(folder) = file.parent() else {
        return Vec::new();
    };
    let unsaved = contents.get(file).cloned();
    let Some(bytes) = unsaved.or_else(|| read::bytes(file, MAX_FILE_BYTES).ok().map(Arc::from)) else {
        return Vec::new();
    };
    let paths = includes(&bytes).map(|it| normalise(&folder.join(it)));
    let paths = paths.map(|it| it.canonicalize().unwrap_or(it));
    let is_there = |it: &Path| it.is_file() || contents.contains_key(it);
    paths
        .filter(|it| has_source_extension(it) && is_there(it))
        .collect()
}
