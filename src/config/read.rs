//! Files of the user's, read as far as they may be: no device, no pipe, and no more than a named number of bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Configurations are no larger.
pub const MOST_OF_CONFIGURATION: u64 = 16 << 20;

/// Baselines, compile databases and reports are no larger.
pub const MOST_OF_DATA: u64 = 512 << 20;

/// The bytes of a regular file of at most `most` bytes; links are followed.
///
/// What is no file is never opened: a pipe without a writer would wait for one, and a device need not end.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if found.len() > most {
        return Err(too_large(&format!("{} MB is", found.len() >> 20), most));
    }
    bounded(File::open(path)?, most)
}

/// The same as text.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = bytes(path, most)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::other(format!("it is no UTF-8 from byte {at} on"))
    })
}

/// All that comes, unless it is more than `most` bytes.
pub fn bounded(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large("it goes on for", most)),
        false => Ok(bytes),
    }
}

fn too_large(what: &str, most: u64) -> io::Error {
    io::Error::other(format!("{what} more than the {} MB that are read", most >> 20))
}
