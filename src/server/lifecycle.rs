//! The thread that answers: what it knows, what it is told, and when it wants a check.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::{FIX_ALL, changed};
use super::checker::{Answered, Check, Checker, Fixes, Shape, Snapshot};
use super::documents::{Document, Documents};
use super::published::{Published, diagnostics};
use super::requests::{CHECK, PICTURE};
use super::settings::{Abilities, Settings};
use super::target::{Answer, Folder, Trouble, targets};
use super::transport::{Client, Incoming, Problem, code};
use super::{Ending, Event, uri};
use crate::project::Stop;

/// Everything the server knows.
pub(super) struct Server {
    pub(super) client: Client,
    pub(super) checker: Checker,
    pub(super) abilities: Abilities,
    pub(super) settings: Arc<Settings>,
    pub(super) folders: Vec<Folder>,
    pub(super) documents: Documents,
    /// The last answers, by the names of their targets.
    pub(super) answers: BTreeMap<String, Answer>,
    /// What each of them says, and what is wrong with configuration files.
    said: BTreeMap<String, Published>,
    /// What the client shows.
    shown: Published,
    /// Targets whose answers may have changed.
    dirty: BTreeSet<String>,
    /// Number of the newest check.
    number: u64,
    /// What the user was told last about each target.
    told: BTreeMap<String, String>,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// The request for settings that the server makes.
const SETTINGS: &str = "cudalint/settings";

impl Server {
    pub fn new(events: Sender<Event>, client: Client) -> Self {
        Server {
            checker: Checker::new(events, client.clone()),
            client,
            abilities: Abilities::default(),
            settings: Arc::default(),
            folders: Vec::new(),
            documents: Documents::new(),
            answers: BTreeMap::new(),
            said: BTreeMap::new(),
            shown: Published::new(),
            dirty: BTreeSet::new(),
            number: 0,
            told: BTreeMap::new(),
            phase: Phase::New,
        }
    }

    /// Goes on until the client leaves.
    pub fn run(mut self, told: &Receiver<Event>) -> Ending {
        let mut ending = Ending::Abrupt;
        if !self.checker.is_there() {
            return Ending::Broken("no thread could be started".to_owned());
        }
        for event in told {
            match event {
                Event::Incoming(Incoming::End) => break,
                Event::Incoming(Incoming::Broken(problem)) => {
                    ending = Ending::Broken(problem);
                    break;
                }
                Event::Incoming(Incoming::Notification { method, .. }) if method == "exit" => break,
                Event::Incoming(incoming) => self.hear(incoming),
                Event::Answered {
                    number,
                    target,
                    answer,
                } if number == self.number => self.take(target, answer),
                Event::First {
                    number,
                    target,
                    answer,
                    paths,
                } if number == self.number => self.take_first(&target, &answer, &paths),
                Event::Answered { .. } | Event::First { .. } => {}
                Event::Done { number } => self.done(number),
                Event::Fixed {
                    id,
                    shape,
                    documents,
                    fixes,
                } => self.fixed(id, shape, &documents, fixes),
            }
        }
        self.checker.close();
        match (self.phase, ending) {
            (Phase::ShutDown, Ending::Abrupt) => Ending::Clean,
            (_, ending) => ending,
        }
    }

    fn hear(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Request { id, method, params } => self.asked(id, &method, params),
            Incoming::Notification { method, params } => {
                if self.phase == Phase::Running {
                    self.notified(&method, params);
                }
            }
            Incoming::Response { id, result } => self.answered(&id, result),
            Incoming::Malformed { id, code, problem } => {
                self.client.answer(id, Err(Problem::new(code, problem)));
            }
            Incoming::Broken(_) | Incoming::End => {}
        }
    }

    fn asked(&mut self, id: Value, method: &str, params: Value) {
        let answer = match (self.phase, method) {
            (Phase::New, "initialize") => Some(Ok(self.initialize(&params))),
            (Phase::New, _) => Some(Err(Problem::new(
                code::NOT_INITIALIZED,
                "`initialize` comes first",
            ))),
            (Phase::ShutDown, _) => Some(Err(Problem::new(
                code::INVALID_REQUEST,
                "the server was shut down",
            ))),
            (Phase::Running, "initialize") => Some(Err(Problem::new(
                code::INVALID_REQUEST,
                "`initialize` comes once",
            ))),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Some(Ok(Value::Null))
            }
            (Phase::Running, _) => self.request(&id, method, params).transpose(),
        };
        if let Some(answer) = answer {
            self.client.answer(id, answer);
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.abilities = Abilities::read(params);
        self.phase = Phase::Running;
        self.read_settings(params.get("initializationOptions").unwrap_or(&Value::Null));
        let folders = params["workspaceFolders"].as_array();
        let folders = folders.into_iter().flatten().filter_map(|it| it["uri"].as_str());
        self.folders = folders.filter_map(Folder::new).collect();
        if params["workspaceFolders"].is_null()
            && let Some(root) = params["rootUri"].as_str()
        {
            self.folders.extend(Folder::new(root));
        }
        let actions = match self.abilities.action_literals {
            true => json!({"codeActionKinds": ["quickfix", FIX_ALL], "resolveProvider": true}),
            false => json!(false),
        };
        json!({
            "serverInfo": {"name": "cudalint", "version": env!("CARGO_PKG_VERSION")},
            "capabilities": {
                "positionEncoding": self.abilities.encoding.name(),
                "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
                "codeActionProvider": actions,
                "hoverProvider": true,
                "inlayHintProvider": true,
                "executeCommandProvider": {"commands": [CHECK, PICTURE]},
                "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
                "experimental": {"cudalint": {"picture": PICTURE}},
            },
        })
    }

    pub(super) fn initialized(&mut self) {
        let mut registrations = Vec::new();
        if self.abilities.registers_watchers {
            let globs = ["**/cudalint.toml", "**/compile_commands.json", "**/.gitignore"].map(str::to_owned);
            let sources = crate::project::discover::EXTENSIONS.join(",");
            let globs = globs.into_iter().chain([format!("**/*.{{{sources}}}")]);
            let watchers: Vec<Value> = globs.map(|it| json!({"globPattern": it})).collect();
            registrations.push(json!({
                "id": "cudalint/watch",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers},
            }));
        }
        if self.abilities.registers_settings {
            registrations.push(json!({
                "id": "cudalint/configuration",
                "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": "cudalint"},
            }));
        }
        if !registrations.is_empty() {
            let registrations = json!({"registrations": registrations});
            self.client
                .request("cudalint/register", "client/registerCapability", registrations);
        }
        self.ask_for_settings();
        self.want_all(Duration::ZERO);
    }

    pub(super) fn ask_for_settings(&self) {
        if self.abilities.configuration {
            let items = json!({"items": [{"section": "cudalint"}]});
            self.client.request(SETTINGS, "workspace/configuration", items);
        }
    }

    pub(super) fn read_settings(&mut self, value: &Value) {
        match Settings::read(value) {
            Ok(settings) => self.settings = Arc::new(settings),
            Err(problem) => self.client.show(&format!("cudalint: {problem}")),
        }
    }

    /// The client answers what the server asked.
    fn answered(&mut self, id: &Value, result: Result<Value, String>) {
        match result {
            Ok(settings) if id == SETTINGS => {
                let settings = settings.get(0).filter(|it| !it.is_null()).cloned();
                let before = Arc::clone(&self.settings);
                if let Some(settings) = settings {
                    self.read_settings(&settings);
                }
                if before != self.settings {
                    self.settings_changed();
                }
            }
            Ok(_) => {}
            Err(message) => self.client.log(&format!(
                "cudalint: {}: {message}",
                id.as_str().unwrap_or_default()
            )),
        }
    }

    pub(super) fn settings_changed(&mut self) {
        if self.abilities.refreshes_hints {
            self.client
                .request("cudalint/hints", "workspace/inlayHint/refresh", Value::Null);
        }
        self.want_all(Duration::ZERO);
    }

    /// Wants everything checked.
    pub(super) fn want_all(&mut self, after: Duration) {
        self.dirty = targets(&self.folders, &self.documents).into_keys().collect();
        self.want(after);
    }

    /// Wants a check of what a document takes part in.
    pub(super) fn want_around(&mut self, address: &str, after: Duration) {
        self.mark(address);
        self.want(after);
    }

    pub(super) fn mark(&mut self, address: &str) {
        let known = self.documents.get(address).and_then(|it| it.path.clone());
        let path = known.or_else(|| uri::to_path(address).map(|it| it.canonicalize().unwrap_or(it)));
        for (name, target) in targets(&self.folders, &self.documents) {
            if target.may_hold(address, path.as_deref().map(Path::new)) {
                self.dirty.insert(name);
            }
        }
    }

    /// Wants a check of what may have changed; what is gone has nothing to say any more.
    pub(super) fn want(&mut self, after: Duration) {
        let snapshot = self.snapshot();
        let is_there = |name: &String| snapshot.targets.contains_key(name);
        self.answers.retain(|name, _| is_there(name));
        self.said.retain(|name, _| is_there(name));
        self.told.retain(|name, _| is_there(name));
        self.dirty.retain(|name| is_there(name));
        self.publish();
        self.number += 1;
        self.checker.check(Check {
            number: self.number,
            due: Instant::now() + after,
            targets: self.dirty.clone(),
            edited: self.edited(),
            snapshot,
            progress: self.abilities.progress,
            stop: Stop::default(),
        });
    }

    /// Documents whose text is not the one of the last answer.
    fn edited(&self) -> BTreeSet<PathBuf> {
        let is_new = |(address, document): &(&String, &Document)| {
            let mut answers = self.answers.values();
            !answers.any(|it| it.versions.get(*address) == Some(&document.version))
        };
        let edited = self.documents.iter().filter(is_new);
        edited.filter_map(|(_, it)| it.path.clone()).collect()
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            targets: targets(&self.folders, &self.documents),
            documents: self.documents.clone(),
            settings: Arc::clone(&self.settings),
        }
    }

    /// Takes the answer about a target.
    fn take(&mut self, target: String, answer: Answered) {
        self.dirty.remove(&target);
        let mut said;
        let problem = match answer {
            Ok(answer) => {
                said = diagnostics(&answer, self.abilities);
                let problems = answer.problems.join("\n");
                self.answers.insert(target.clone(), answer);
                if !problems.is_empty() && self.told.get(&target) != Some(&problems) {
                    self.client.log(&format!("cudalint: {problems}"));
                }
                problems
            }
            Err(Trouble::Stopped) => return,
            // What was found before stays, where it was: the project is as it was.
            Err(Trouble::Configuration {
                address,
                line,
                message,
            }) => {
                said = self.said.remove(&target).unwrap_or_default();
                said.retain(|_, diagnostics| diagnostics.iter().all(|it| !it["code"].is_null()));
                let place = json!({"line": line, "character": 0});
                let end = json!({"line": line + 1, "character": 0});
                said.insert(
                    address,
                    vec![json!({
                        "range": {"start": place, "end": end},
                        "severity": 1,
                        "source": "cudalint",
                        "message": message,
                    })],
                );
                message
            }
            Err(Trouble::Other(message)) => {
                said = self.said.remove(&target).unwrap_or_default();
                if self.told.get(&target) != Some(&message) {
                    self.client.show(&format!("cudalint: {message}"));
                }
                message
            }
        };
        self.told.insert(target.clone(), problem);
        self.said.insert(target, said);
        self.publish();
    }

    /// Takes what was found in edited documents, and in them alone; the answer about the target follows.
    fn take_first(&mut self, target: &str, answer: &Answer, paths: &BTreeSet<PathBuf>) {
        let mut found = diagnostics(answer, self.abilities);
        let documents = self.documents.iter();
        let edited = documents.filter(|(_, it)| it.path.as_ref().is_some_and(|it| paths.contains(it)));
        let edited: Vec<String> = edited.map(|(address, _)| address.clone()).collect();
        let said = self.said.entry(target.to_owned()).or_default();
        for address in &edited {
            match found.remove(address) {
                Some(diagnostics) => said.insert(address.clone(), diagnostics),
                None => said.remove(address),
            };
        }
        if let Some(known) = self.answers.get_mut(target) {
            let versions = answer.versions.iter();
            let versions = versions.filter(|(address, _)| edited.contains(address));
            known
                .versions
                .extend(versions.map(|(address, it)| (address.clone(), *it)));
        }
        self.publish();
        self.client
            .notify("$/cudalint/published", json!({"uris": edited}));
    }

    /// Tells the client what changed of what it shows.
    fn publish(&mut self) {
        let mut wanted = Published::new();
        for (address, diagnostics) in self.said.values().flatten() {
            let all = wanted.entry(address.clone()).or_default();
            for diagnostic in diagnostics {
                // A file can belong to the projects of two targets.
                if !all.contains(diagnostic) {
                    all.push(diagnostic.clone());
                }
            }
        }
        let gone = self.shown.keys().filter(|it| !wanted.contains_key(*it));
        let gone: Published = gone.map(|it| (it.clone(), Vec::new())).collect();
        for (address, diagnostics) in wanted.iter().chain(&gone) {
            if self.shown.get(address) == Some(diagnostics) {
                continue;
            }
            let mut params = json!({"uri": address, "diagnostics": diagnostics});
            let mut answers = self.answers.values();
            let version = answers.find_map(|it| it.versions.get(address));
            if let Some(version) = version.filter(|_| self.abilities.versions) {
                params["version"] = json!(version);
            }
            self.client.notify("textDocument/publishDiagnostics", params);
        }
        self.shown = wanted;
    }

    fn done(&mut self, number: u64) {
        if number == self.number {
            let stages = self.answers.values().flat_map(|it| &it.stages);
            let stages = stages.map(|(name, time)| json!([name, time.as_micros() as f64 / 1000.0]));
            let stages: Vec<Value> = stages.collect();
            let checked = json!({"targets": self.answers.len(), "stages": stages});
            self.client.notify("$/cudalint/checked", checked);
            if self.abilities.refreshes_hints && self.settings.hints {
                self.client
                    .request("cudalint/hints", "workspace/inlayHint/refresh", Value::Null);
            }
        }
    }

    fn fixed(&self, id: Value, shape: Shape, about: &Documents, fixes: Fixes) {
        let changes = match fixes {
            Ok(changes) => changes,
            Err(Trouble::Stopped) => {
                let problem = Problem::new(code::CANCELLED, "the request was cancelled");
                return self.client.answer(id, Err(problem));
            }
            Err(Trouble::Configuration { message, .. } | Trouble::Other(message)) => {
                return self.client.answer(id, Err(Problem::new(code::FAILED, message)));
            }
        };
        let version = |documents: &Documents, it: &str| documents.get(it).map(|it| it.version);
        let is_old =
            |(address, _): &(String, _)| version(about, address) != version(&self.documents, address);
        if changes.iter().any(is_old) {
            let problem = Problem::new(code::CONTENT_MODIFIED, "a document was edited meanwhile");
            return self.client.answer(id, Err(problem));
        }
        let edit = changed(&changes, &self.documents, self.abilities);
        let complete = |mut action: Value| {
            action["edit"] = edit.clone();
            action
        };
        let answer = match shape {
            Shape::Action(action) => complete(action),
            Shape::List(_) if changes.is_empty() => json!([]),
            Shape::List(action) => json!([complete(action)]),
        };
        self.client.answer(id, Ok(answer));
    }
}

/// The document a message is about.
pub(super) fn address_of(params: &Value) -> String {
    let address = params["textDocument"]["uri"].as_str();
    address.unwrap_or_default().to_owned()
}

/// Part of a message; `None` when it is not what it should be.
pub(super) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}
