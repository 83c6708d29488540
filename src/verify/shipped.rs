//! The fixtures this binary was built with.

use std::io;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/fixtures.rs"));

/// Path and content of every file below `fixtures/`, sorted.
///
/// Optimised builds carry them; others read the checkout they were built in, so that editing a fixture compiles nothing.
pub fn files() -> io::Result<Vec<(String, Vec<u8>)>> {
    if let Some(root) = CHECKOUT {
        let mut files = Vec::new();
        let root = Path::new(root).join("fixtures");
        read(&root, &root, &mut files)?;
        files.sort();
        return Ok(files);
    }
    Ok(FIXTURES
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()))
        .collect())
}

/// Writes the fixtures `wanted` says into a folder.
pub fn unpack(into: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<()> {
    for (name, bytes) in files()?.into_iter().filter(|(name, _)| wanted(name)) {
        let path = into.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, bytes)?;
    }
    Ok(())
}

fn read(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            read(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), std::fs::read(&path)?));
        }
    }
    Ok(())
}
