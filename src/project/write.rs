//! Files written as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

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

/// Puts the new bytes where the old ones are: into a file beside it that takes its place in one step.
///
/// Links are followed, permissions kept.
pub fn write(change: &Change) -> Result<(), WriteError> {
    let path = fs::canonicalize(&change.path)?;
    if fs::read(&path)? != *change.before {
        return Err(WriteError::Changed);
    }
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (temporary, mut file) = beside(folder, &name)?;
    let written = file
        .write_all(&change.after)
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    Ok(written?)
}

/// A new file in a folder.
fn beside(folder: &Path, name: &str) -> io::Result<(std::path::PathBuf, fs::File)> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = folder.join(format!(".{name}.{process}-{number}.tmp"));
        match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            opened => return opened.map(|file| (path, file)),
        }
    }
}
