//! What the editor has open: its text holds instead of what is on disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use super::position::{Encoding, Range};
use super::uri;
use crate::diagnostics::source::SourceText;

/// Open documents by their addresses.
pub(super) type Documents = BTreeMap<String, Document>;

/// One open document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Where it is saved, links resolved; `None` when it is not.
    pub path: Option<PathBuf>,
    /// As the editor calls it.
    pub language: String,
    pub version: i64,
    pub text: Arc<[u8]>,
}

/// One change of a document: the whole text when there is no range.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    range: Option<Range>,
    text: String,
}

impl Document {
    pub fn new(address: &str, language: String, version: i64, text: String) -> Self {
        let path = uri::to_path(address);
        Document {
            path: path.map(|it| it.canonicalize().unwrap_or(it)),
            language,
            version,
            text: Arc::from(text.into_bytes()),
        }
    }

    /// Applies changes in order; each one's places are in the text that the one before it left.
    pub fn change(&mut self, version: i64, changes: Vec<Change>, encoding: Encoding) {
        let mut text = self.text.to_vec();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text.into_bytes();
                continue;
            };
            let (start, end) = {
                let lines = SourceText::new(&text);
                (
                    encoding.offset(&lines, range.start),
                    encoding.offset(&lines, range.end),
                )
            };
            text.splice(start..end.max(start), change.text.into_bytes());
        }
        self.version = version;
        self.text = text.into();
    }

    /// The name it is checked under when it is saved nowhere and is written in C++ or CUDA.
    pub fn unsaved_name(&self, address: &str) -> Option<String> {
        let extension = match self.language.as_str() {
            "cuda" | "cuda-cpp" | "cudacpp" => "cu",
            "cpp" | "c++" => "cpp",
            "c" => "c",
            _ => return None,
        };
        let name = address.rsplit([':', '/']).next().unwrap_or_default();
        let plain = |it: char| {
            if it.is_alphanumeric() || "-_.".contains(it) {
                it
            } else {
                '_'
            }
        };
        let name: String = name.chars().map(plain).collect();
        Some(match name.as_str() {
            "" => format!("untitled.{extension}"),
            name if name.ends_with(&format!(".{extension}")) => name.to_owned(),
            name => format!("{name}.{extension}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(text: &str, changes: serde_json::Value) -> String {
        let mut document = Document::new("untitled:a", "cuda".to_owned(), 1, text.to_owned());
        let changes: Vec<Change> = serde_json::from_value(changes).expect("they are changes");
        document.change(2, changes, Encoding::Utf16);
        String::from_utf8(document.text.to_vec()).expect("it stays text")
    }

    #[test]
    fn changes_are_applied_one_after_the_other() {
        let range = |from: (u32, u32), to: (u32, u32)| json!({"start": {"line": from.0, "character": from.1}, "end": {"line": to.0, "character": to.1}});
        let changes = json!([
            {"range": range((0, 2), (0, 3)), "text": "X\n"},
            {"range": range((1, 0), (1, 0)), "text": "Y"},
        ]);
        assert_eq!(changed("😀bc\n", changes), "😀X\nYc\n");
        assert_eq!(changed("abc", json!([{"text": "new"}])), "new");
        // Backwards, or far behind the end.
        assert_eq!(
            changed("abc", json!([{"range": range((0, 2), (0, 1)), "text": "-"}])),
            "ab-c"
        );
        assert_eq!(
            changed("abc", json!([{"range": range((9, 9), (9, 9)), "text": "-"}])),
            "abc-"
        );
    }

    #[test]
    fn unsaved_documents_have_a_name_to_be_checked_under() {
        let name = |address: &str, language: &str| {
            Document::new(address, language.to_owned(), 0, String::new()).unsaved_name(address)
        };
        assert_eq!(
            name("untitled:Untitled-1", "cuda-cpp").as_deref(),
            Some("Untitled-1.cu")
        );
        assert_eq!(name("untitled:/x/a.cu", "cuda").as_deref(), Some("a.cu"));
        assert_eq!(name("untitled:", "cpp").as_deref(), Some("untitled.cpp"));
        assert_eq!(name("untitled:Untitled-1", "python"), None);
    }
}
