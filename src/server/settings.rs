//! What the editor's settings and the client's capabilities say.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::position::Encoding;
use crate::config::{FILE_NAME, FileConfig};

/// The `cudalint` section of an editor's settings, or the options the server is started with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    /// When open documents are checked.
    pub run: Run,
    /// Milliseconds without a further edit before a check begins.
    pub debounce: u64,
    /// Use this file instead of the closest `cudalint.toml`.
    pub configuration: Option<PathBuf>,
    /// Keys of `cudalint.toml` that hold above it.
    pub overrides: serde_json::Map<String, Value>,
    /// Show beside calls what they wait for, and which launches load their kernel.
    pub hints: bool,
    /// Threads to check with; 0: one per core.
    pub jobs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Run {
    /// After each edit, too.
    OnType,
    /// When a document is opened or saved.
    OnSave,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            run: Run::OnType,
            debounce: 300,
            configuration: None,
            overrides: serde_json::Map::new(),
            hints: false,
            jobs: 0,
        }
    }
}

/// Settings that stand in the same section and are not for the server.
const OF_THE_CLIENT: [&str; 3] = ["path", "trace", "enable"];

impl Settings {
    /// Reads them, alone or as the `cudalint` part of more; `Err` says what is wrong.
    pub fn read(value: &Value) -> Result<Self, String> {
        let own = value.get("cudalint").unwrap_or(value);
        if own.is_null() {
            return Ok(Settings::default());
        }
        let mut own = own.clone();
        if let Some(own) = own.as_object_mut() {
            own.retain(|key, _| !OF_THE_CLIENT.contains(&key.as_str()));
        }
        let settings = Settings::deserialize(own).map_err(|error| format!("in the settings: {error}"))?;
        settings.layer()?;
        Ok(settings)
    }

    /// The overrides as a layer above configuration files.
    pub fn layer(&self) -> Result<FileConfig, String> {
        let mut overrides = self.overrides.clone();
        overrides.retain(|_, value| !value.is_null());
        let text = toml::to_string(&overrides).map_err(|error| format!("in `overrides`: {error}"))?;
        let parsed = FileConfig::parse(FILE_NAME.as_ref(), &text);
        parsed.map_err(|error| format!("in `overrides`: {error}"))
    }

    pub fn debounce(&self) -> Duration {
        Duration::from_millis(self.debounce.min(60_000))
    }
}

/// What the client can do, as far as it matters here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Abilities {
    pub encoding: Encoding,
    pub related_information: bool,
    pub code_description: bool,
    pub tags: bool,
    pub versions: bool,
    /// Edits come with the versions of the documents they are for.
    pub document_changes: bool,
    /// Actions without kinds are all that old clients know.
    pub action_literals: bool,
    pub resolves_edits: bool,
    pub markdown: bool,
    pub progress: bool,
    /// The server may ask for the settings.
    pub configuration: bool,
    pub registers_settings: bool,
    pub registers_watchers: bool,
    pub refreshes_hints: bool,
    /// The editor has a command that shows a picture.
    pub shows_pictures: bool,
}

impl Abilities {
    pub fn read(params: &Value) -> Self {
        let all = &params["capabilities"];
        let is = |path: &str| all.pointer(path).and_then(Value::as_bool).unwrap_or_default();
        let has = |path: &str, wanted: &str| {
            let list = all.pointer(path).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|it| it == wanted))
        };
        let encodings = all.pointer("/general/positionEncodings").cloned();
        let offered: Vec<String> = encodings
            .and_then(|it| serde_json::from_value(it).ok())
            .unwrap_or_default();
        Abilities {
            encoding: Encoding::negotiate(&offered),
            related_information: is("/textDocument/publishDiagnostics/relatedInformation"),
            code_description: is("/textDocument/publishDiagnostics/codeDescriptionSupport"),
            tags: all
                .pointer("/textDocument/publishDiagnostics/tagSupport/valueSet")
                .is_some(),
            versions: is("/textDocument/publishDiagnostics/versionSupport"),
            document_changes: is("/workspace/workspaceEdit/documentChanges"),
            action_literals: all
                .pointer("/textDocument/codeAction/codeActionLiteralSupport")
                .is_some(),
            resolves_edits: has("/textDocument/codeAction/resolveSupport/properties", "edit")
                && is("/textDocument/codeAction/dataSupport"),
            markdown: has("/textDocument/hover/contentFormat", "markdown"),
            progress: is("/window/workDoneProgress"),
            configuration: is("/workspace/configuration"),
            registers_settings: is("/workspace/didChangeConfiguration/dynamicRegistration"),
            registers_watchers: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_hints: is("/workspace/inlayHint/refreshSupport"),
            shows_pictures: is("/experimental/cudalintPictures"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read_alone_and_in_their_section() {
        let alone = Settings::read(&json!({"run": "onSave", "debounce": 5}));
        let within = Settings::read(&json!({"cudalint": {"run": "onSave", "debounce": 5}}));
        assert_eq!(alone.as_ref().map(|it| it.run), Ok(Run::OnSave));
        assert_eq!(alone, within);
        assert_eq!(Settings::read(&Value::Null), Ok(Settings::default()));
        let of_client = json!({"path": "/x/cudalint", "trace": {"server": "off"}, "configuration": null});
        assert_eq!(Settings::read(&of_client), Ok(Settings::default()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(Settings::read(&json!({"runs": "x"})).is_err_and(|it| it.contains("runs")));
        let problem = Settings::read(&json!({"overrides": {"slect": ["hang"]}}));
        assert!(problem.is_err_and(|it| it.contains("slect")));
        let layer = Settings::read(&json!({"overrides": {"select": ["hang"], "preview": null}}));
        let layer = layer.and_then(|it| it.layer()).expect("it is right");
        assert_eq!(layer.select, Some(vec!["hang".to_owned()]));
    }

    #[test]
    fn a_client_that_says_nothing_can_do_nothing() {
        assert_eq!(Abilities::read(&json!({})), Abilities::default());
        let offered = json!({"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}});
        assert_eq!(Abilities::read(&offered).encoding, Encoding::Utf8);
    }
}
