//! Edits of a program that remember where each byte of the result comes from.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::code::Code;

/// A part of a rewritten file.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Bytes of the original file with this number, wherever they stand now.
    Kept(usize, Range<usize>),
    /// New text, and the place in the original that it speaks for, if any.
    Text(String, Option<(usize, usize)>),
}

impl Piece {
    /// Text that speaks for nothing in the original.
    pub fn text(text: impl Into<String>) -> Self {
        Piece::Text(text.into(), None)
    }
}

/// What a rewrite does to a program.
#[derive(Default)]
pub struct Change {
    /// Replacements (insertions where the range is empty), by file; those of one file do not overlap.
    edits: Vec<(usize, Range<usize>, Vec<Piece>)>,
    /// Files it adds.
    added: Vec<(String, Vec<Piece>)>,
}

impl Change {
    /// Replaces a range; insertions at one place keep the order they were made in.
    pub fn replace(&mut self, file: usize, range: Range<usize>, pieces: Vec<Piece>) {
        self.edits.push((file, range, pieces));
    }

    /// Replaces a range by text that speaks for it.
    pub fn rename(&mut self, file: usize, range: Range<usize>, text: impl Into<String>) {
        let origin = Some((file, range.start));
        self.edits
            .push((file, range, vec![Piece::Text(text.into(), origin)]));
    }

    /// Inserts text that speaks for nothing.
    pub fn insert(&mut self, file: usize, at: usize, text: impl Into<String>) {
        self.edits.push((file, at..at, vec![Piece::text(text)]));
    }

    /// Inserts text that speaks for the statement at `origin`.
    pub fn insert_for(&mut self, file: usize, at: usize, text: impl Into<String>, origin: usize) {
        let text = Piece::Text(text.into(), Some((file, origin)));
        self.edits.push((file, at..at, vec![text]));
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, pieces: Vec<Piece>) {
        self.added.push((path.into(), pieces));
    }

    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.added.is_empty()
    }

    /// The rewritten program.
    ///
    /// # Panics
    /// When edits of one file overlap: a defect of the rewrite.
    pub fn apply(mut self, code: &Code) -> Variant {
        self.edits
            .sort_by_key(|(file, range, _)| (*file, range.start, range.end));
        let mut files = Vec::new();
        for (number, unit) in code.units.iter().enumerate() {
            let mut pieces = Vec::new();
            let mut at = 0;
            for (_, range, new) in self.edits.iter().filter(|it| it.0 == number) {
                assert!(
                    at <= range.start,
                    "edits overlap at {} of {}",
                    range.start,
                    unit.path
                );
                pieces.push(Piece::Kept(number, at..range.start));
                pieces.extend(new.iter().cloned());
                at = range.end;
            }
            pieces.push(Piece::Kept(number, at..unit.bytes.len()));
            files.push((unit.path.clone(), pieces));
        }
        files.append(&mut self.added);
        Variant::new(code, &files)
    }
}

/// A rewritten program.
pub struct Variant {
    /// Paths and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Of each file: where parts start, in order, and what of the original they stand for.
    origins: Vec<Vec<Part>>,
}

struct Part {
    start: usize,
    origin: Option<(usize, usize)>,
    /// Whether offsets go on inside (kept bytes) or all stand for one place.
    exact: bool,
}

impl Variant {
    fn new(code: &Code, files: &[(String, Vec<Piece>)]) -> Self {
        let mut variant = Variant {
            files: Vec::new(),
            origins: Vec::new(),
        };
        for (path, pieces) in files {
            let mut bytes = Vec::new();
            let mut parts = Vec::new();
            for piece in pieces {
                let start = bytes.len();
                let (origin, exact) = match piece {
                    Piece::Kept(file, range) => {
                        bytes.extend_from_slice(&code.units[*file].bytes[range.clone()]);
                        (Some((*file, range.start)), true)
                    }
                    Piece::Text(text, origin) => {
                        bytes.extend_from_slice(text.as_bytes());
                        (*origin, false)
                    }
                };
                parts.push(Part { start, origin, exact });
            }
            variant.files.push((path.clone(), bytes));
            variant.origins.push(parts);
        }
        variant
    }

    /// Writes the files into a folder.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (name, bytes) in &self.files {
            std::fs::write(folder.join(name), bytes)?;
        }
        Ok(())
    }

    /// The place in the original that an offset stands for: file number and offset.
    pub fn origin(&self, path: &str, offset: usize) -> Option<(usize, usize)> {
        let file = self.files.iter().position(|it| it.0 == path)?;
        let parts = &self.origins[file];
        let part = &parts[parts.partition_point(|it| it.start <= offset).checked_sub(1)?];
        let (file, start) = part.origin?;
        Some((
            file,
            if part.exact {
                start + offset - part.start
            } else {
                start
            },
        ))
    }
}
