//! Addresses of files as editors write them: `file:///home/me/a%20b.cu`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The path that a `file:` address means; `None` for every other one, an unsaved document's, say.
pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = String::from_utf8(decode(path)).ok()?;
    if cfg!(windows) {
        let path = match host {
            "" | "localhost" => path.trim_start_matches('/').to_owned(),
            host => format!("//{host}{path}"),
        };
        return Some(PathBuf::from(path.replace('/', "\\")));
    }
    Some(PathBuf::from(path))
}

/// The address of an absolute path.
pub(super) fn from_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = match cfg!(windows) {
        true => text.trim_start_matches(r"\\?\").replace('\\', "/"),
        false => text.into_owned(),
    };
    let mut uri = match text.strip_prefix("//") {
        Some(_) => "file:".to_owned(),
        None if text.starts_with('/') => "file://".to_owned(),
        None => "file:///".to_owned(),
    };
    encode(&text, &mut uri);
    uri
}

/// The address of a file in a folder whose address is known: written as the client writes that one.
pub(super) fn inside(folder: &str, relative: &Path) -> String {
    let mut uri = folder.trim_end_matches('/').to_owned();
    for part in relative.components() {
        uri.push('/');
        encode(&part.as_os_str().to_string_lossy(), &mut uri);
    }
    uri
}

fn encode(text: &str, uri: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
}

fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes
            .get(at + 1..at + 3)
            .and_then(|it| std::str::from_utf8(it).ok());
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                decoded.push(byte);
                at += 3;
            }
            _ => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    decoded
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for path in ["/a/b c.cu", "/ü/100%.cu", "/#?[x].cuh"] {
            assert_eq!(
                to_path(&from_path(Path::new(path))).as_deref(),
                Some(Path::new(path))
            );
        }
        assert_eq!(from_path(Path::new("/a b")), "file:///a%20b");
        assert_eq!(to_path("file:///a%2fb%zz"), Some("/a/b%zz".into()));
        assert_eq!(to_path("file://localhost/a"), Some("/a".into()));
    }

    #[test]
    fn other_addresses_are_no_files() {
        for uri in ["untitled:Untitled-1", "http://x/y", "file:x", "", "file://"] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }

    #[test]
    fn files_of_a_folder_are_written_as_the_folder_is() {
        assert_eq!(
            inside("file:///c%3A/x/", Path::new("a/b c.cu")),
            "file:///c%3A/x/a/b%20c.cu"
        );
    }
}
