//! The run: bytes to facts in parallel, then link, ask the rules, and keep what was asked for.
//!
//! Stages: read → dismiss what cannot matter → macro table → facts → link → rules → filter → suppressions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::compile_commands::{CompileCommands, FILE_NAME};
use super::discover::{Discovered, SourceFile};
use super::engine::{self, Program, SourceUnit, rules};
use super::guard::guarded;
use super::{Error, macros};
use crate::config::{DefaultStream, ModuleLoading, Settings};
use crate::diagnostics::Finding;
use crate::facts::FileFacts;
use crate::syntax::{Defines, Flip, MacroTable};

/// What a run made of a project.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Findings to report, in order.
    pub findings: Vec<Finding>,
    /// Bytes of every file that can be named in a finding, by shown path.
    pub sources: BTreeMap<Arc<str>, Arc<[u8]>>,
    /// Findings that comments keep quiet.
    pub suppressed: usize,
    /// Files findings are reported in.
    pub reported_files: usize,
    /// Further counts by name.
    pub counters: BTreeMap<String, u64>,
    /// How long each stage took.
    pub timings: Vec<(&'static str, Duration)>,
    /// What went wrong without stopping the run.
    pub warnings: Vec<String>,
    /// Bugs of the tool itself: each cost a file or the whole answer.
    pub internal_errors: Vec<String>,
}

/// Stack of a worker thread.
///
/// Walking a tree is recursive, and so is dropping one: the deepest nesting that lowering lets through must fit in an
/// unoptimised build. The kernel hands out pages as they are touched, so an ordinary run never sees this size.
const STACK_BYTES: usize = 256 << 20;

/// Larger files are data, not source.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// Analyses a project on `jobs` threads (0: one per core).
pub fn analyse(project: Discovered, jobs: usize, keep_suppressed: bool) -> Result<Analysis, Error> {
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK_BYTES)
        .build()?;
    // Everything that holds facts is also dropped in there.
    threads.install(|| Run::new(project, keep_suppressed)?.finish())
}

struct Run {
    files: Vec<SourceFile>,
    settings: Arc<Settings>,
    commands: CompileCommands,
    keep_suppressed: bool,
    clock: Instant,
    result: Analysis,
}

/// A file that can matter.
struct Loaded {
    /// Index into the run's files.
    file: usize,
    bytes: Arc<[u8]>,
}

impl Run {
    fn new(project: Discovered, keep_suppressed: bool) -> Result<Self, Error> {
        let clock = Instant::now();
        let Discovered {
            root,
            settings,
            files,
            warnings,
        } = project;
        let mut result = Analysis {
            warnings,
            ..Analysis::default()
        };
        let commands = compile_commands(root.as_deref(), &settings, &mut result.warnings)?;
        result.reported_files = files.iter().filter(|file| file.reported).count();
        result
            .counters
            .insert("files indexed".to_owned(), files.len() as u64);
        Ok(Run {
            files,
            settings,
            commands,
            keep_suppressed,
            clock,
            result,
        })
    }

    fn finish(mut self) -> Result<Analysis, Error> {
        let (loaded, macros) = self.read();
        let units = self.extract(loaded, &macros);
        let findings = self.ask(units);
        self.keep(findings);
        Ok(self.result)
    }

    fn stage_done(&mut self, name: &'static str) {
        self.result.timings.push((name, self.clock.elapsed()));
        self.clock = Instant::now();
    }

    fn count(&mut self, name: &str, amount: u64) {
        *self.result.counters.entry(name.to_owned()).or_default() += amount;
    }

    /// Reads every file, drops what cannot matter, and collects the macros of all.
    fn read(&mut self) -> (Vec<Loaded>, MacroTable) {
        enum Outcome {
            Kept(Arc<[u8]>, u64),
            Dismissed(u64),
            Failed(String),
            Broken(String),
        }
        let one = |file: &SourceFile| -> (Outcome, MacroTable) {
            let bytes = match load(file) {
                Ok(bytes) => bytes,
                Err(reason) => {
                    return (
                        Outcome::Failed(format!("skipped `{}`: {reason}", file.shown)),
                        MacroTable::default(),
                    );
                }
            };
            let size = bytes.len() as u64;
            let scanned = guarded(|| (engine::collect_macros(&bytes), is_relevant(&bytes)));
            match scanned {
                Ok((macros, true)) => (Outcome::Kept(bytes, size), macros),
                Ok((macros, false)) => (Outcome::Dismissed(size), macros),
                Err(panic) => (
                    Outcome::Broken(internal_error(&file.shown, &panic)),
                    MacroTable::default(),
                ),
            }
        };
        let outcomes: Vec<_> = self.files.par_iter().map(one).collect();
        let mut macros = MacroTable::default();
        let mut loaded = Vec::new();
        for (file, (outcome, table)) in outcomes.into_iter().enumerate() {
            engine::merge(&mut macros, table);
            match outcome {
                Outcome::Kept(bytes, size) => {
                    self.count("bytes read", size);
                    self.result
                        .sources
                        .insert(Arc::clone(&self.files[file].shown), Arc::clone(&bytes));
                    loaded.push(Loaded { file, bytes });
                }
                Outcome::Dismissed(size) => self.count("bytes read", size),
                Outcome::Failed(warning) => self.result.warnings.push(warning),
                Outcome::Broken(message) => self.result.internal_errors.push(message),
            }
        }
        self.count("files relevant", loaded.len() as u64);
        self.stage_done("read");
        (loaded, macros)
    }

    /// Facts of every file in its own configuration, then of its flipped configurations.
    fn extract(&mut self, loaded: Vec<Loaded>, macros: &MacroTable) -> Vec<SourceUnit> {
        let one = |loaded: &Loaded| guarded(|| self.extract_file(loaded, macros));
        let outcomes: Vec<_> = loaded.par_iter().map(one).collect();
        let mut units = Vec::new();
        let mut variants = Vec::new();
        for (loaded, outcome) in loaded.iter().zip(outcomes) {
            match outcome {
                Ok((base, others)) => {
                    self.count("bytes parsed", loaded.bytes.len() as u64);
                    self.count("bytes not understood", base.facts.quality.error_bytes);
                    let index = units.len();
                    variants.extend(others.into_iter().map(|it| SourceUnit {
                        variant_of: Some(index),
                        ..it
                    }));
                    units.push(base);
                }
                Err(panic) => {
                    let message = internal_error(&self.files[loaded.file].shown, &panic);
                    self.result.internal_errors.push(message);
                }
            }
        }
        self.count("configurations flipped", variants.len() as u64);
        units.extend(variants);
        self.stage_done("facts");
        units
    }

    fn extract_file(&self, loaded: &Loaded, table: &MacroTable) -> (SourceUnit, Vec<SourceUnit>) {
        let file = &self.files[loaded.file];
        let flags = self.commands.flags(&file.path);
        let version = self.settings.cuda_version;
        let (defines, per_thread) =
            macros::for_file(&file.path, &loaded.bytes, version, flags, &file.settings);
        let unit = |facts: FileFacts, configuration: Option<String>| SourceUnit {
            path: Arc::clone(&file.shown),
            bytes: Arc::clone(&loaded.bytes),
            facts,
            variant_of: None,
            configuration,
            per_thread_default_stream: per_thread,
        };
        let (facts, flips) = engine::extract(&loaded.bytes, &defines, table);
        let flips = if engine::wants_variants(&facts) {
            flips
        } else {
            Vec::new()
        };
        let flipped = |flip: &Flip| {
            let mut defines: Defines = defines.clone();
            defines.values.insert(flip.name.clone(), flip.value.clone());
            unit(
                engine::extract(&loaded.bytes, &defines, table).0,
                Some(condition(flip)),
            )
        };
        let variants = flips.iter().map(flipped).collect();
        (unit(facts, None), variants)
    }

    /// Links the program and asks the rules.
    fn ask(&mut self, units: Vec<SourceUnit>) -> Vec<Finding> {
        let program = match guarded(|| Program::link(units)) {
            Ok(program) => program,
            Err(panic) => {
                self.result
                    .internal_errors
                    .push(internal_error("linking", &panic));
                return Vec::new();
            }
        };
        self.stage_done("link");
        let options = rules::Options {
            lazy_loading: self.settings.module_loading == ModuleLoading::Lazy,
            per_thread_default_stream: self.settings.base.default_stream == DefaultStream::PerThread,
            pedantic: self.settings.pedantic,
            cuda_version: self.settings.cuda_version.0,
        };
        let outcome = match guarded(|| rules::check(&program, &options)) {
            Ok(outcome) => outcome,
            Err(panic) => {
                self.result
                    .internal_errors
                    .push(internal_error("the rules", &panic));
                rules::Outcome::default()
            }
        };
        for (name, amount) in outcome.counters {
            self.count(name, amount);
        }
        self.stage_done("rules");
        outcome.findings
    }

    /// Keeps the findings that were asked for: reported files, selected rules, enough confidence, not suppressed.
    fn keep(&mut self, mut findings: Vec<Finding>) {
        let reported: BTreeMap<&str, &SourceFile> = self
            .files
            .iter()
            .filter(|file| file.reported)
            .map(|file| (&*file.shown, file))
            .collect();
        findings.retain(|finding| {
            reported.get(&*finding.primary.path).is_some_and(|file| {
                file.settings.rules.contains(finding.rule)
                    && finding.confidence >= file.settings.min_confidence
            })
        });
        drop_repeated_configurations(&mut findings);
        let _ = self.keep_suppressed;
        self.result.findings = findings;
        self.stage_done("filter");
    }
}

/// The compile database: the one that was asked for must be usable; one that lies at the top of the project may be broken.
fn compile_commands(
    root: Option<&Path>,
    settings: &Settings,
    warnings: &mut Vec<String>,
) -> Result<CompileCommands, Error> {
    if let Some(path) = &settings.compile_commands {
        return CompileCommands::read(path);
    }
    let Some(path) = root
        .map(|root| root.join(FILE_NAME))
        .filter(|path| path.is_file())
    else {
        return Ok(CompileCommands::default());
    };
    Ok(CompileCommands::read(&path).unwrap_or_else(|error| {
        warnings.push(format!("{error}; files are read without it"));
        CompileCommands::default()
    }))
}

/// The bytes of a file, unless it is no source.
fn load(file: &SourceFile) -> Result<Arc<[u8]>, String> {
    if let Some(content) = &file.content {
        return Ok(Arc::clone(content));
    }
    let size = std::fs::metadata(&file.path)
        .map_err(|error| error.to_string())?
        .len();
    if size > MAX_FILE_BYTES {
        return Err(format!("{} MB is more than source code has", size >> 20));
    }
    let bytes = std::fs::read(&file.path).map_err(|error| error.to_string())?;
    match memchr::memchr(0, &bytes[..bytes.len().min(8192)]) {
        Some(_) => Err("it is binary".to_owned()),
        None => Ok(bytes.into()),
    }
}

/// Whether a file can hold a finding or take part in one.
fn is_relevant(bytes: &[u8]) -> bool {
    engine::is_relevant(bytes) || memchr::memmem::find(bytes, b"cudalint").is_some()
}

fn internal_error(what: &str, panic: &str) -> String {
    format!("internal error in `{what}` (please report): {panic}")
}

fn condition(flip: &Flip) -> String {
    match flip.value.as_deref() {
        None => format!("when `{}` is not defined", flip.name),
        Some("" | "1") => format!("when `{}` is defined", flip.name),
        Some(value) => format!("when `{}` is `{value}`", flip.name),
    }
}

/// What is found without a condition need not be told again for each configuration, nor twice for two of them.
fn drop_repeated_configurations(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| a.configuration.cmp(&b.configuration));
    let mut seen = BTreeSet::new();
    findings.retain(|finding| seen.insert((finding.primary.clone(), finding.rule)));
    findings.sort_by(|a, b| (&a.primary, a.rule, &a.message).cmp(&(&b.primary, b.rule, &b.message)));
}
