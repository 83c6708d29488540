//! The folder records are kept in: looked at before anything runs, written when everything is over.

use std::io;
use std::path::{Path, PathBuf};

use super::Failure;
use super::record::{Record, VERSION};
use crate::project::write;

/// The record of one machine, in its file.
#[derive(Clone, Debug)]
pub struct Records {
    path: PathBuf,
    kept: Record,
}

impl Records {
    /// What was recorded on the machine of a record before; `Err` when nothing could be added to that.
    pub fn open(folder: &Path, machine: &Record) -> Result<Self, Failure> {
        let path = folder.join(machine.file_name());
        let failed = |reason: String| Failure::Record {
            path: path.clone(),
            reason,
        };
        let refused = |error: io::Error| failed(error.to_string());
        let kept = match std::fs::read_to_string(&path) {
            Ok(text) => read(&text, machine).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Record::default(),
            Err(error) => return Err(refused(error)),
        };
        std::fs::create_dir_all(folder).map_err(refused)?;
        write::is_possible(&path).map_err(refused)?;
        Ok(Records { path, kept })
    }

    /// What is there.
    pub fn kept(&self) -> &Record {
        &self.kept
    }

    /// Adds what a run of the same machine found out; says where it is kept. `names` are the fixtures a complete record
    /// holds.
    pub fn add<'a>(
        mut self,
        newer: Record,
        mut names: impl Iterator<Item = &'a str>,
    ) -> Result<PathBuf, Failure> {
        self.kept.update(newer);
        self.kept.complete = names.all(|it| self.kept.fixtures.contains_key(it));
        match write::replace(&self.path, self.kept.to_text().as_bytes()) {
            Ok(()) => Ok(self.path),
            Err(error) => Err(Failure::Record {
                path: self.path,
                reason: error.to_string(),
            }),
        }
    }
}

/// A record that is about the same machine.
fn read(text: &str, machine: &Record) -> Result<Record, String> {
    let record: Record = serde_json::from_str(text).map_err(|error| format!("it is no record: {error}"))?;
    if record.version != VERSION {
        return Err(format!("it is of version {}, not {VERSION}", record.version));
    }
    let name = |it: &Record| format!("{}, driver {}, nvcc {}", it.gpu, it.driver, it.nvcc);
    match name(&record) == name(machine) {
        true => Ok(record),
        false => Err(format!(
            "it is about {}; this is {}",
            name(&record),
            name(machine)
        )),
    }
}
