//! Files written as a whole or not at all.

use std::borrow::Borrow;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::fix::Change;

/// Why a fixed file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It is not what was analysed any more.
    #[error("it changed while it was analysed")]
    Changed,
    /// The system does not let it.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Puts new bytes where old ones are, in every file or in none: a change of several files makes sense only as a whole.
///
/// Changes come with the names of their files; `Err` says which cannot be made. Links are followed, permissions and
/// owners kept.
pub fn write<N: Clone>(
    changes: impl IntoIterator<Item = (N, impl Borrow<Change>)>,
) -> Result<(), (N, WriteError)> {
    let mut staged = Vec::new();
    for (name, change) in changes {
        let file = stage(change.borrow()).map_err(|error| (name.clone(), error))?;
        staged.push((name, file));
    }
    for (name, file) in staged {
        file.commit().map_err(|error| (name, error.into()))?;
    }
    Ok(())
}

/// Puts bytes where a file is or is to be.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let like = fs::metadata(&path).ok();
    Staged::new(path, bytes, like.as_ref())?.commit()
}

/// Whether a file could be replaced, or be written where there is none.
pub fn is_possible(path: &Path) -> io::Result<()> {
    Staged::new(path.to_owned(), b"", None).map(drop)
}

fn stage(change: &Change) -> Result<Staged, WriteError> {
    let path = fs::canonicalize(&change.path)?;
    if fs::read(&path)? != *change.before {
        return Err(WriteError::Changed);
    }
    let like = fs::metadata(&path)?;
    if like.permissions().readonly() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    Ok(Staged::new(path, &change.after, Some(&like))?)
}

/// New bytes in a file beside the one whose place they will take; gone when they do not.
struct Staged {
    temporary: PathBuf,
    path: PathBuf,
}

impl Staged {
    fn new(path: PathBuf, bytes: &[u8], like: Option<&Metadata>) -> io::Result<Self> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let (temporary, mut file) = new_file(folder.unwrap_or(Path::new(".")))?;
        let staged = Staged { temporary, path };
        if let Some(like) = like {
            keep_owner(&file, like);
            file.set_permissions(like.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(staged)
    }

    fn commit(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // After a commit there is nothing of that name.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// A new file in a folder.
fn new_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = folder.join(format!(".cudalint.{process}-{number}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            opened => return opened.map(|file| (path, file)),
        }
    }
}

/// Only an administrator may give files to others, and who edits a file of a group may be in it.
#[cfg(unix)]
fn keep_owner(file: &File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, None, Some(like.gid()));
    let _ = fchown(file, Some(like.uid()), None);
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
