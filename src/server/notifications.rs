//! What the editor tells without waiting for an answer: what is open, what it holds, what changed on disk.

use std::time::Duration;

use serde_json::Value;

use super::checker::number_of;
use super::documents::Document;
use super::lifecycle::{Server, address_of, read};
use super::settings::Run;
use super::target::Folder;
use super::transport::{Problem, code};
use super::uri;

impl Server {
    pub(super) fn notified(&mut self, method: &str, params: Value) {
        match method {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.opened(&params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didSave" => {
                let address = address_of(&params);
                self.want_around(&address, Duration::ZERO);
            }
            "textDocument/didClose" => self.closed(&params),
            "workspace/didChangeConfiguration" if self.abilities.configuration => self.ask_for_settings(),
            "workspace/didChangeConfiguration" => {
                self.read_settings(params.get("settings").unwrap_or(&Value::Null));
                self.settings_changed();
            }
            "workspace/didChangeWatchedFiles" => self.files_changed(&params),
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params["event"]),
            "window/workDoneProgress/cancel" => {
                if let Some(number) = number_of(&params["token"]) {
                    self.checker.cancel_check(number);
                }
            }
            "$/cancelRequest" => {
                let id = params["id"].clone();
                if self.checker.cancel_fixing(&id) {
                    let problem = Problem::new(code::CANCELLED, "the request was cancelled");
                    self.client.answer(id, Err(problem));
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, params: &Value) {
        let document = &params["textDocument"];
        let text = document["text"].as_str().unwrap_or_default().to_owned();
        let language = document["languageId"].as_str().unwrap_or_default().to_owned();
        let version = document["version"].as_i64().unwrap_or_default();
        let address = address_of(params);
        let document = Document::new(&address, language, version, text);
        self.documents.insert(address.clone(), document);
        self.want_around(&address, Duration::ZERO);
    }

    fn changed(&mut self, mut params: Value) {
        let address = address_of(&params);
        let version = params["textDocument"]["version"].as_i64().unwrap_or_default();
        let Some(changes) = read(params["contentChanges"].take()) else {
            self.client
                .log("cudalint: a change of a document could not be understood");
            return;
        };
        let Some(document) = self.documents.get_mut(&address) else {
            return;
        };
        document.change(version, changes, self.abilities.encoding);
        match self.settings.run {
            Run::OnType => self.want_around(&address, self.settings.debounce()),
            Run::OnSave => {}
        }
    }

    fn closed(&mut self, params: &Value) {
        let address = address_of(params);
        // What is on disk holds again.
        self.mark(&address);
        self.documents.remove(&address);
        self.want(Duration::ZERO);
    }

    fn files_changed(&mut self, params: &Value) {
        let changes = params["changes"].as_array();
        let addresses = changes.into_iter().flatten().filter_map(|it| it["uri"].as_str());
        let addresses: Vec<String> = addresses.map(str::to_owned).collect();
        let paths = addresses.iter().filter_map(|it| uri::to_path(it));
        self.checker.forget(
            paths
                .map(|it| it.canonicalize().unwrap_or(it))
                .collect::<Vec<_>>(),
        );
        // An open document holds whatever is written to disk.
        let closed = addresses.iter().filter(|it| !self.documents.contains_key(*it));
        let closed: Vec<String> = closed.cloned().collect();
        closed.iter().for_each(|it| self.mark(it));
        if !closed.is_empty() {
            self.want(self.settings.debounce().min(Duration::from_millis(300)));
        }
    }

    fn folders_changed(&mut self, event: &Value) {
        let addresses = |key: &str| -> Vec<String> {
            let list = event[key].as_array().into_iter().flatten();
            list.filter_map(|it| Some(it["uri"].as_str()?.to_owned()))
                .collect()
        };
        let removed = addresses("removed");
        self.folders.retain(|it| !removed.contains(&it.address));
        let added = addresses("added");
        self.folders.extend(added.iter().filter_map(|it| Folder::new(it)));
        self.want_all(Duration::ZERO);
    }
}
