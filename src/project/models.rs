//! A project's own models: stand-ins for libraries whose source is not there, named in `cudalint.toml`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Error;
use super::discover::EXTENSIONS;
use crate::config::read;
use crate::models;
use crate::program::SourceUnit;
use crate::syntax::LineIndex;

/// Larger files are no models.
const MOST_BYTES: u64 = 1 << 20;

/// The models in some folders and files, in order of their paths.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<SourceUnit>, Error> {
    let mut files = Vec::new();
    paths.iter().try_for_each(|path| list(path, &mut files))?;
    files.sort();
    files.dedup();
    files.iter().map(|it| unit(it)).collect()
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let failed = |reason| Error::Model {
        path: path.to_owned(),
        reason,
    };
    if !std::fs::metadata(path).map_err(failed)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (kind, inner) = (entry.file_type().map_err(failed)?, entry.path());
        let named = |it: &&str| inner.extension().is_some_and(|own| own == *it);
        if kind.is_dir() {
            list(&inner, files)?;
        } else if kind.is_file() && EXTENSIONS.iter().any(named) {
            files.push(inner);
        }
    }
    Ok(())
}

fn unit(path: &Path) -> Result<SourceUnit, Error> {
    let failed = |reason| Error::Model {
        path: path.to_owned(),
        reason,
    };
    let bytes = read::bytes(path, MOST_BYTES).map_err(failed)?;
    if let Some(offset) = models::first_mistake(&bytes) {
        let (line, column) = LineIndex::new(&bytes).line_column(offset);
        return Err(Error::BrokenModel {
            path: path.to_owned(),
            line,
            column,
        });
    }
    Ok(SourceUnit {
        path: Arc::from(path.to_string_lossy().replace('\\', "/").as_str()),
        facts: Arc::new(models::facts_of(&bytes)),
        bytes: Arc::from(bytes),
        model: true,
        ..SourceUnit::default()
    })
}
