//! What is checked together: a folder of the workspace, the project around documents outside of all folders, or a
//! document that is saved nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::documents::Documents;
use super::settings::Settings;
use super::uri;
use crate::config::{self, ConfigSource, Layer, Store};
use crate::diagnostics::{Finding, Location};
use crate::project::{self, Analysis, Discovered, First, Request, Session, SourceFile, Stop, discover};

/// A folder of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    /// As the client calls it.
    pub address: String,
    /// Links resolved.
    pub path: PathBuf,
}

impl Folder {
    /// `None` when it is no folder on this machine.
    pub fn new(address: &str) -> Option<Self> {
        let path = uri::to_path(address)?.canonicalize().ok()?;
        path.is_dir().then(|| Folder {
            address: address.to_owned(),
            path,
        })
    }
}

/// What is checked together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Folder(Folder),
    /// Documents outside of all folders, by the project they are in.
    Loose {
        base: PathBuf,
        paths: Vec<PathBuf>,
    },
    /// The address of a document that is saved nowhere, and the name it is checked under.
    Unsaved {
        address: String,
        name: String,
    },
}

/// Everything to check, by name, in order.
pub(super) fn targets(folders: &[Folder], documents: &Documents) -> BTreeMap<String, Target> {
    let mut targets = BTreeMap::new();
    // A folder inside of another one is checked with that.
    let is_inside = |it: &Folder| {
        folders
            .iter()
            .any(|other| it.path != other.path && it.path.starts_with(&other.path))
    };
    for folder in folders.iter().filter(|it| !is_inside(it)) {
        targets.insert(
            folder.path.to_string_lossy().into_owned(),
            Target::Folder(folder.clone()),
        );
    }
    for (address, document) in documents {
        let Some(path) = &document.path else {
            if let Some(name) = document.unsaved_name(address) {
                let target = Target::Unsaved {
                    address: address.clone(),
                    name,
                };
                targets.insert(address.clone(), target);
            }
            continue;
        };
        if !discover::has_source_extension(path) || folders.iter().any(|it| path.starts_with(&it.path)) {
            continue;
        }
        let parent = path.parent().unwrap_or(Path::new("/"));
        let base = discover::project_root(parent).unwrap_or(parent).to_owned();
        // No folder has this name: paths of folders are canonical.
        let key = format!("{}/.", base.display());
        let target = targets.entry(key).or_insert(Target::Loose {
            base,
            paths: Vec::new(),
        });
        if let Target::Loose { paths, .. } = target {
            paths.push(path.clone());
        }
    }
    targets
}

impl Target {
    /// Whether what a file holds can matter here; `None` stands for a document that is saved nowhere.
    pub fn may_hold(&self, address: &str, path: Option<&Path>) -> bool {
        match (self, path) {
            // The project may begin above the folder.
            (Target::Folder(folder), Some(path)) => {
                let root = discover::project_root(&folder.path).unwrap_or(&folder.path);
                path.starts_with(root)
            }
            (Target::Loose { base, paths }, Some(path)) => {
                path.starts_with(base) || paths.iter().any(|it| it == path)
            }
            (Target::Unsaved { address: own, .. }, None) => own == address,
            _ => false,
        }
    }

    /// The files to read, and what holds for them.
    pub fn discover(&self, documents: &Documents, settings: &Settings) -> Result<Discovered, project::Error> {
        let base = match self {
            Target::Folder(folder) => folder.path.clone(),
            Target::Loose { base, .. } => base.clone(),
            Target::Unsaved { .. } => std::env::temp_dir(),
        };
        let source = match (&settings.configuration, self) {
            (Some(path), _) => ConfigSource::File(base.join(path)),
            (None, Target::Unsaved { .. }) => ConfigSource::Isolated,
            (None, _) => ConfigSource::Closest,
        };
        let layer = Layer {
            base: base.clone(),
            // It was read when the settings were.
            config: settings.layer().unwrap_or_default(),
        };
        let mut store = Store::new(source, layer);
        if let Target::Unsaved { address, name } = self {
            return Ok(unsaved(address, name, documents, &mut store, &base)?);
        }
        let open = documents.values();
        let contents = open.filter_map(|it| Some((it.path.clone()?, Arc::clone(&it.text))));
        let request = Request {
            paths: match self {
                Target::Loose { paths, .. } => paths.clone(),
                _ => vec![base.clone()],
            },
            working_directory: base,
            respect_gitignore: true,
            contents: contents.collect(),
            only: None,
        };
        project::discover(&request, &mut store)
    }

    /// Checks it.
    pub fn check(
        &self,
        documents: &Documents,
        settings: &Settings,
        session: &Session,
        stop: &Stop,
        (paths, tell): (BTreeSet<PathBuf>, impl Fn(Answer) + Send + Sync + 'static),
    ) -> Result<Answer, Trouble> {
        let clock = Instant::now();
        let project = self.discover(documents, settings)?;
        let addresses = self.addresses(&project.files, documents);
        let discovered = ("discover", clock.elapsed());
        let versions = documents
            .iter()
            .map(|(address, it)| (address.clone(), it.version));
        let versions: BTreeMap<String, i64> = versions.collect();
        let (called, opened) = (addresses.clone(), versions.clone());
        let tell = move |analysis: Analysis| {
            tell(Answer {
                versions: opened.clone(),
                ..Answer::new(analysis, called.clone())
            });
        };
        let first = First {
            paths,
            tell: Box::new(tell),
        };
        let mut analysis = session.analyse_first(project, false, stop, Some(first))?;
        analysis.timings.insert(0, discovered);
        Ok(Answer {
            versions,
            ..Answer::new(analysis, addresses)
        })
    }

    /// What the client calls the files, by shown path.
    pub fn addresses(&self, files: &[SourceFile], documents: &Documents) -> BTreeMap<Arc<str>, String> {
        let open = documents.iter();
        let open: BTreeMap<&Path, &String> = open
            .filter_map(|(address, it)| Some((it.path.as_deref()?, address)))
            .collect();
        let address = |file: &SourceFile| match self {
            Target::Unsaved { address, .. } => address.clone(),
            _ if open.contains_key(file.path.as_path()) => open[file.path.as_path()].clone(),
            Target::Folder(folder) => match file.path.strip_prefix(&folder.path) {
                Ok(relative) => uri::inside(&folder.address, relative),
                Err(_) => uri::from_path(&file.path),
            },
            Target::Loose { .. } => uri::from_path(&file.path),
        };
        files
            .iter()
            .map(|it| (Arc::clone(&it.shown), address(it)))
            .collect()
    }
}

fn unsaved(
    address: &str,
    name: &str,
    documents: &Documents,
    store: &mut Store,
    base: &Path,
) -> Result<Discovered, config::Error> {
    let settings = store.for_directory(base)?;
    let path = PathBuf::from(name);
    let file = SourceFile {
        shown: name.into(),
        reported: true,
        named: true,
        settings: settings.for_file(&base.join(&path)),
        content: documents.get(address).map(|it| Arc::clone(&it.text)),
        path,
    };
    Ok(Discovered {
        progress: Arc::default(),
        root: None,
        settings,
        files: vec![file],
        warnings: Vec::new(),
    })
}

/// What a check found.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub findings: Vec<Finding>,
    /// Bytes of the files findings name, as they were checked.
    pub sources: BTreeMap<Arc<str>, Arc<[u8]>>,
    /// What the client calls those files.
    pub addresses: BTreeMap<Arc<str>, String>,
    /// Versions of the documents that were open.
    pub versions: BTreeMap<String, i64>,
    /// Launches that load their kernel, with its name.
    pub first_launches: BTreeMap<Location, String>,
    /// What went wrong without stopping the check.
    pub problems: Vec<String>,
    /// How long each stage took.
    pub stages: Vec<(&'static str, Duration)>,
}

impl Answer {
    fn new(analysis: Analysis, mut addresses: BTreeMap<Arc<str>, String>) -> Self {
        addresses.retain(|shown, _| analysis.sources.contains_key(shown));
        Answer {
            problems: [analysis.internal_errors, analysis.unread, analysis.warnings].concat(),
            stages: analysis.timings,
            findings: analysis.findings,
            first_launches: analysis.first_launches,
            sources: analysis.sources,
            addresses,
            versions: BTreeMap::new(),
        }
    }

    /// The path under which findings name a document.
    pub fn shown(&self, address: &str) -> Option<&Arc<str>> {
        let mut pairs = self.addresses.iter();
        pairs.find(|(_, it)| *it == address).map(|(shown, _)| shown)
    }

    /// Whether an open document is as it was checked.
    pub fn is_about(&self, address: &str, text: &Arc<[u8]>) -> bool {
        self.shown(address)
            .and_then(|it| self.sources.get(it))
            .is_some_and(|it| it == text)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A newer check takes its place.
    Stopped,
    /// A configuration file is wrong at a place.
    Configuration {
        address: String,
        /// From 0.
        line: u32,
        message: String,
    },
    Other(String),
}

impl From<project::Error> for Trouble {
    fn from(error: project::Error) -> Self {
        let hint = error.hint().map(|it| format!("; {it}")).unwrap_or_default();
        match error {
            project::Error::Stopped => Trouble::Stopped,
            project::Error::Config(config::Error::Invalid {
                path, line, message, ..
            }) => Trouble::Configuration {
                address: uri::from_path(&path),
                line: u32::try_from(line).unwrap_or(1).saturating_sub(1),
                message: format!("{message}{hint}"),
            },
            error => Trouble::Other(format!("{error}{hint}")),
        }
    }
}
