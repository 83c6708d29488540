//! `compile_commands.json`: what each file is compiled with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Error;
use super::discover::normalise;
use super::words::split;
use crate::config::read;

/// Name of the compile database.
pub const FILE_NAME: &str = "compile_commands.json";

/// A compile database, by absolute path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileCommands {
    by_file: BTreeMap<PathBuf, FileFlags>,
}

/// The flags of one file that change what its code means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFlags {
    /// `-D` (`true`) and `-U` (`false`), in order, as written after the flag.
    pub macros: Vec<(String, bool)>,
    /// `-I` and `-isystem` directories, absolute.
    pub include_directories: Vec<PathBuf>,
    /// `--default-stream per-thread`.
    pub per_thread_default_stream: bool,
    /// `-x LANGUAGE`.
    pub language: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl CompileCommands {
    /// Reads the database at `path`: the file itself or the directory it lies in.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let path = if path.is_dir() {
            path.join(FILE_NAME)
        } else {
            path.to_owned()
        };
        let error = |reason: String| Error::CompileCommands {
            path: path.clone(),
            reason,
        };
        let text = read::bytes(&path, read::MOST_OF_DATA).map_err(|reason| error(reason.to_string()))?;
        let base = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, base).map_err(|reason| error(reason.to_string()))
    }

    /// Reads the text of a database that lies in the directory `base`.
    pub fn parse(text: &[u8], base: &Path) -> serde_json::Result<Self> {
        let entries: Vec<Entry> = serde_json::from_slice(text)?;
        let mut by_file = BTreeMap::new();
        for entry in entries {
            let directory = base.join(&entry.directory);
            let file = normalise(&directory.join(&entry.file));
            let file = file.canonicalize().unwrap_or(file);
            let words = entry
                .arguments
                .unwrap_or_else(|| split(&entry.command.unwrap_or_default()));
            // A file that is compiled twice is read as in its first entry.
            by_file
                .entry(file)
                .or_insert_with(|| FileFlags::parse(&directory, &words));
        }
        Ok(CompileCommands { by_file })
    }

    /// The flags of the file at this absolute path.
    pub fn flags(&self, path: &Path) -> Option<&FileFlags> {
        self.by_file.get(path)
    }

    /// Every file with its flags, by absolute path.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &FileFlags)> {
        self.by_file.iter().map(|(path, flags)| (path.as_path(), flags))
    }
}

impl FileFlags {
    /// Reads compiler arguments (nvcc, clang and gcc spellings).
    fn parse(directory: &Path, words: &[String]) -> Self {
        let mut flags = FileFlags::default();
        let mut words = words.iter().map(String::as_str).skip(1);
        while let Some(word) = words.next() {
            // The value may be joined (`-DX`, `--define-macro=X`) or the next word (`-D X`).
            let mut value = |names: &[&str]| -> Option<String> {
                let name = names.iter().find(|name| word.starts_with(**name))?;
                let rest = &word[name.len()..];
                match rest.strip_prefix('=') {
                    _ if rest.is_empty() => words.next().map(str::to_owned),
                    Some(rest) => Some(rest.to_owned()),
                    None if name.starts_with("--") => None,
                    None => Some(rest.to_owned()),
                }
            };
            if let Some(text) = value(&["--define-macro", "-D"]) {
                flags.macros.push((text, true));
            } else if let Some(text) = value(&["--undefine-macro", "-U"]) {
                flags.macros.push((text, false));
            } else if let Some(text) =
                value(&["--include-path", "--system-include", "-isystem", "-iquote", "-I"])
            {
                flags.include_directories.push(normalise(&directory.join(text)));
            } else if let Some(text) = value(&["--default-stream", "-default-stream"]) {
                flags.per_thread_default_stream = text == "per-thread";
            } else if let Some(text) = value(&["--x", "-x"]) {
                flags.language = Some(text);
            }
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command: &str) -> FileFlags {
        FileFlags::parse(Path::new("/build"), &split(command))
    }

    #[test]
    fn joined_and_separate_values_are_read() {
        let flags =
            flags("nvcc -DA -D B=2 -UC --define-macro=D -I../include -isystem /opt/x -x cu a.cpp -o a.o");
        let macros: Vec<(&str, bool)> = flags
            .macros
            .iter()
            .map(|(text, defined)| (text.as_str(), *defined))
            .collect();
        assert_eq!(macros, [("A", true), ("B=2", true), ("C", false), ("D", true)]);
        assert_eq!(
            flags.include_directories,
            [PathBuf::from("/include"), PathBuf::from("/opt/x")]
        );
        assert_eq!(flags.language.as_deref(), Some("cu"));
        assert!(!flags.per_thread_default_stream);
    }

    #[test]
    fn per_thread_default_stream_is_read() {
        assert!(flags("nvcc --default-stream per-thread a.cu").per_thread_default_stream);
        assert!(flags("nvcc -default-stream=per-thread a.cu").per_thread_default_stream);
        assert!(!flags("nvcc --default-stream legacy a.cu").per_thread_default_stream);
    }
}
