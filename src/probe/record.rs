//! What was seen, kept in a file, one line each, so that a run that was cut off can go on and a report be made again.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::run::Results;
use super::watch::Seen;
use crate::verify::{Failure, Gpu};

/// A record that is written to.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    file: File,
}

/// The first line of a record: where it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    version: u32,
    /// Name of the GPU.
    pub gpu: String,
    /// Version of its driver.
    pub driver: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    case: String,
    #[serde(flatten)]
    seen: Seen,
}

impl Machine {
    /// This one; without a name where nobody asked for a GPU.
    pub fn here(gpu: Option<&Gpu>) -> Self {
        Machine {
            version: 1,
            gpu: gpu.map_or_else(String::new, |it| it.name.clone()),
            driver: gpu.map_or_else(String::new, |it| it.driver.clone()),
        }
    }
}

impl Record {
    /// Opens a record that was or will be made here, and reads what it holds.
    pub fn open(path: &Path, here: &Machine) -> Result<(Self, Results), Failure> {
        let failed = |reason| Failure::File {
            path: path.to_owned(),
            reason,
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => String::new(),
            Err(reason) => return Err(failed(reason)),
        };
        let (machine, results) = parse(&text);
        if !text.is_empty() && machine.as_ref() != Some(here) {
            let message = format!("`{}` is no record of this GPU and driver", path.display());
            return Err(Failure::Input(message));
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut record = Record {
            path: path.to_owned(),
            file: file.map_err(failed)?,
        };
        if text.is_empty() {
            record.write(here).map_err(failed)?;
        } else if !text.ends_with('\n') {
            record.file.write_all(b"\n").map_err(failed)?;
        }
        Ok((record, results))
    }

    /// Reads a record, wherever it was made.
    pub fn read(path: &Path) -> Result<(Machine, Results), Failure> {
        let text = std::fs::read_to_string(path).map_err(|reason| Failure::File {
            path: path.to_owned(),
            reason,
        })?;
        let (machine, results) = parse(&text);
        let machine = machine.filter(|it| it.version == 1);
        let missing = || Failure::Input(format!("`{}` is no record of a probe", path.display()));
        Ok((machine.ok_or_else(missing)?, results))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds what was seen.
    pub fn add(&mut self, id: &str, seen: &Seen) -> io::Result<()> {
        self.write(&Line {
            case: id.to_owned(),
            seen: seen.clone(),
        })
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

/// Where a record was made, and what it holds; a line that was cut off holds nothing.
fn parse(text: &str) -> (Option<Machine>, Results) {
    let mut lines = text.lines();
    let machine = lines.next().and_then(|line| serde_json::from_str(line).ok());
    let results = lines
        .filter_map(|line| serde_json::from_str::<Line>(line).ok())
        .map(|line| (line.case, line.seen))
        .collect();
    (machine, results)
}
