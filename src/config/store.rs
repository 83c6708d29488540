//! Which settings hold where: the closest `cudalint.toml` going up from a file, with the command line on top.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Error, FILE_NAME, Layer, Merged, Settings};

/// Where configuration comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigSource {
    /// The closest file going up from each source file.
    Closest,
    /// This file for everything.
    File(PathBuf),
    /// None: the command line only.
    Isolated,
}

/// Settings by directory, read once each.
#[derive(Debug)]
pub struct Store {
    source: ConfigSource,
    command_line: Layer,
    by_file: BTreeMap<Option<PathBuf>, Arc<Settings>>,
    by_directory: BTreeMap<PathBuf, Arc<Settings>>,
}

impl Store {
    /// A store that has read nothing yet.
    pub fn new(source: ConfigSource, command_line: Layer) -> Self {
        Store {
            source,
            command_line,
            by_file: BTreeMap::new(),
            by_directory: BTreeMap::new(),
        }
    }

    /// Settings for files in this absolute directory.
    pub fn for_directory(&mut self, directory: &Path) -> Result<Arc<Settings>, Error> {
        if let Some(known) = self.by_directory.get(directory) {
            return Ok(Arc::clone(known));
        }
        let settings = match &self.source {
            ConfigSource::Isolated => self.read(None)?,
            ConfigSource::File(path) => self.read(Some(path.clone()))?,
            ConfigSource::Closest => {
                let here = directory.join(FILE_NAME);
                // What cannot be read is said rather than passed over: a link that leads nowhere, a pipe.
                let is_there = here.symlink_metadata().is_ok_and(|it| !it.is_dir());
                match directory.parent() {
                    _ if is_there => self.read(Some(here))?,
                    Some(parent) => self.for_directory(parent)?,
                    None => self.read(None)?,
                }
            }
        };
        self.by_directory
            .insert(directory.to_owned(), Arc::clone(&settings));
        Ok(settings)
    }

    fn read(&mut self, file: Option<PathBuf>) -> Result<Arc<Settings>, Error> {
        if let Some(known) = self.by_file.get(&file) {
            return Ok(Arc::clone(known));
        }
        let mut merged = match &file {
            Some(path) => Merged::read(path)?,
            None => Merged::default(),
        };
        merged.push(self.command_line.clone());
        let settings = Arc::new(Settings::resolve(merged)?);
        self.by_file.insert(file, Arc::clone(&settings));
        Ok(settings)
    }
}
