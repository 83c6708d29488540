//! The run: bytes to facts in parallel, then link, ask the rules, and keep what was asked for.
//!
//! Stages: read → dismiss what cannot matter → macro table → facts → link → rules → filter → suppressions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::again::Reading;
use super::answers::Answers;
use super::compile_commands::{CompileCommands, FILE_NAME};
use super::discover::{Discovered, SourceFile, normalise, slashed};

use super::baseline::ProjectBaseline;
use super::guard::guarded;
use super::headers::Headers;
use super::progress::{Phase, Progress};
use super::session::{File, First, Known, Session, Stop, load, scan};
use super::wanted::{Answered, Wanted};
use super::{Error, companions, macros, models};
use crate::config::{DefaultStream, ModuleLoading, Settings};
use crate::diagnostics::suppress::{self, CommentedFile};
use crate::diagnostics::{Confidence, Finding, Location, sort};
use crate::facts::{self, FileFacts, Include, extract_with_flips};
use crate::order::contracts::Contract;
use crate::program::{FileId, FunctionId, Program, SourceUnit};
use crate::rules::{self, Unreached};
use crate::syntax::{self, Defines, Flip, MacroTable, STACK_BYTES, Span};

/// What a run made of a project.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Findings to report, in order.
    pub findings: Vec<Finding>,
    /// Bytes of every file that can be named in a finding, by shown path.
    pub sources: BTreeMap<Arc<str>, Arc<[u8]>>,
    /// Launches that load their kernel on a path from `main`, with its name.
    pub first_launches: BTreeMap<Location, String>,
    /// Findings that comments keep quiet.
    pub suppressed: usize,
    /// Findings that less is known of than `min-confidence` asks for.
    pub unsure: usize,
    /// Findings that the baseline lists.
    pub known: usize,
    /// Findings that the baseline lists and that are not there any more.
    pub gone: usize,
    /// Files findings are reported in.
    pub reported_files: usize,
    /// Further counts by name.
    pub counters: BTreeMap<String, u64>,
    /// Launches and CUDA calls that no path reached, in order; none in a session.
    pub unreached: Vec<Unreached>,
    /// What functions promise, where that was asked for instead of findings; in the order of their places.
    pub contracts: Vec<Contract>,
    /// How long each stage took.
    pub timings: Vec<(&'static str, Duration)>,
    /// What went wrong without stopping the run.
    pub warnings: Vec<String>,
    /// Files that were named and could not be read.
    pub unread: Vec<String>,
    /// Bugs of the tool itself: each cost a file or the whole answer.
    pub internal_errors: Vec<String>,
}

/// Files without CUDA that are read for calling one and the same function.
const CALLERS_OF_ONE: usize = 32;

/// Analyses a project on `jobs` threads (0: one per core).
pub fn analyse(project: Discovered, jobs: usize, keep_suppressed: bool) -> Result<Analysis, Error> {
    Session::once(jobs)?.analyse(project, keep_suppressed, &Stop::default())
}

/// The facts of one file that is all there is; on a thread with room for deep nesting, like every walk over a tree.
pub fn facts_of(bytes: &[u8]) -> Option<FileFacts> {
    let facts = || {
        let mut table = MacroTable::default();
        table.merge(syntax::collect_macros(bytes));
        facts::extract(bytes, &Defines::for_cuda(13_000), &table)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, || guarded(facts).ok()).ok()?;
        thread.join().ok()?
    })
}

/// Room a thread's heap starts with; only what is written to becomes memory.
const HEAP_BYTES: usize = 31 << 20;

/// Takes and gives back a large piece of memory.
///
/// The heap of a thread grows page by page in glibc, with a system call that stops all threads for each, and
/// shrinks as soon as 128 kB at its end are free. A large piece that was given back makes both rare: see
/// `M_TRIM_THRESHOLD` in <https://man7.org/linux/man-pages/man3/mallopt.3.html>. Elsewhere it changes nothing.
pub(super) fn make_room() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(HEAP_BYTES)));
}

pub(super) struct Run {
    pub(super) files: Vec<SourceFile>,
    pub(super) settings: Arc<Settings>,
    pub(super) commands: CompileCommands,
    baseline: Option<ProjectBaseline>,
    pub(super) models: Vec<SourceUnit>,
    keep_suppressed: bool,
    /// Contracts are asked for instead of findings.
    pub(super) asks_contracts: bool,
    /// Index into `files` by absolute path.
    pub(super) by_path: BTreeMap<PathBuf, usize>,
    /// Options of the build that bring the toolkit in, and that no file defines.
    pub(super) options: BTreeSet<String>,
    /// Files in which nothing of CUDA is mentioned, by index.
    dismissed: Vec<usize>,
    /// What is known from earlier runs, when there may be more of them.
    pub(super) known: Option<Arc<Known>>,
    pub(super) stop: Stop,
    pub(super) first: Option<First>,
    /// How many warnings there are from before anything was read.
    pub(super) told: usize,
    clock: Instant,
    pub(super) progress: Arc<Progress>,
    pub(super) result: Analysis,
}

/// A file that can matter.
pub(super) struct Loaded {
    /// Index into the run's files.
    pub(super) file: usize,
    pub(super) bytes: Arc<[u8]>,
}

impl Run {
    pub(super) fn new(
        project: Discovered,
        keep_suppressed: bool,
        known: Option<Arc<Known>>,
        stop: Stop,
        first: Option<First>,
    ) -> Result<Self, Error> {
        let clock = Instant::now();
        let Discovered {
            root,
            settings,
            mut files,
            warnings,
            progress,
        } = project;
        let modelled: Vec<PathBuf> = settings.models.iter().map(|it| normalise(it)).collect();
        files.retain(|file| !modelled.iter().any(|it| file.path.starts_with(it)));
        let mut result = Analysis {
            warnings,
            ..Analysis::default()
        };
        let commands = compile_commands(root.as_deref(), &settings, &mut result.warnings)?;
        let baseline = settings.baseline.as_deref().map(ProjectBaseline::read);
        let models = models::read(&settings.models)?;
        result.reported_files = files.iter().filter(|file| file.reported).count();
        result
            .counters
            .insert("files indexed".to_owned(), files.len() as u64);
        let by_path = files
            .iter()
            .enumerate()
            .map(|(index, file)| (file.path.clone(), index))
            .collect();
        Ok(Run {
            told: result.warnings.len(),
            files,
            settings,
            commands,
            baseline: baseline.transpose()?,
            models,
            keep_suppressed,
            asks_contracts: false,
            by_path,
            options: BTreeSet::new(),
            dismissed: Vec::new(),
            known,
            stop,
            first,
            clock,
            progress,
            result,
        })
    }

    pub(super) fn finish(mut self) -> Result<Analysis, Error> {
        let findings = match self.again()? {
            Some(findings) => findings,
            None => {
                let (loaded, macros) = self.read();
                let macros = match &self.known {
                    Some(known) => known.macros(macros),
                    None => Arc::new(macros),
                };
                let findings = self.ask(loaded, &macros)?;
                if let Some(known) = &self.known {
                    known.tidy(&self.files);
                }
                findings
            }
        };
        self.keep(findings);
        Ok(self.result)
    }

    /// A file and what a look at it says, from memory where it is as it was.
    pub(super) fn load(&self, file: &SourceFile) -> Result<Arc<File>, String> {
        match &self.known {
            Some(known) => known.load(file),
            None => Ok(Arc::new(File::new(load(file)?))),
        }
    }

    fn bytes_of(&self, file: &SourceFile) -> Option<Arc<[u8]>> {
        Some(Arc::clone(&self.load(file).ok()?.bytes))
    }

    pub(super) fn stage_done(&mut self, name: &'static str) {
        self.result.timings.push((name, self.clock.elapsed()));
        self.clock = Instant::now();
    }

    pub(super) fn count(&mut self, name: &str, amount: u64) {
        *self.result.counters.entry(name.to_owned()).or_default() += amount;
    }

    /// Reads every file, drops what cannot matter, and collects the macros of all.
    fn read(&mut self) -> (Vec<Loaded>, MacroTable) {
        enum Outcome {
            Kept(Arc<[u8]>, u64),
            /// With its bytes where a program may start in it.
            Dismissed(u64, Option<Arc<[u8]>>),
            Failed(String),
            Broken(String),
        }
        self.progress.begin(Phase::Reading, self.files.len());
        let one = |file: &SourceFile| -> (Outcome, MacroTable) {
            self.progress.step();
            let loaded = match self.load(file) {
                Ok(loaded) => loaded,
                Err(reason) => {
                    return (
                        Outcome::Failed(format!("skipped `{}`: {reason}", file.shown)),
                        MacroTable::default(),
                    );
                }
            };
            let bytes = Arc::clone(&loaded.bytes);
            let size = bytes.len() as u64;
            match guarded(|| loaded.scan.get_or_init(|| scan(&bytes))) {
                // A header that only declares says where what is asked for stands.
                Ok(scan) if scan.is_relevant || self.asks_contracts && file.reported => {
                    (Outcome::Kept(bytes, size), scan.macros.clone())
                }
                Ok(scan) => {
                    let start = scan.starts.then_some(bytes);
                    (Outcome::Dismissed(size, start), scan.macros.clone())
                }
                Err(panic) => (
                    Outcome::Broken(internal_error(&file.shown, &panic)),
                    MacroTable::default(),
                ),
            }
        };
        let outcomes: Vec<_> = self.files.par_iter().with_max_len(8).map(one).collect();
        let mut macros = MacroTable::default();
        let mut loaded = Vec::new();
        let folder = |file: usize| self.files[file].path.parent().map(Path::to_owned);
        let kept = outcomes.iter().enumerate();
        let kept = kept.filter(|(_, (it, _))| matches!(it, Outcome::Kept(..)));
        let folders: BTreeSet<Option<PathBuf>> = kept.map(|(file, _)| folder(file)).collect();
        // A folder with a program of its own is known by where that starts.
        let is_beside: Vec<bool> = (0..outcomes.len())
            .map(|it| folders.contains(&folder(it)))
            .collect();
        for (file, (outcome, table)) in outcomes.into_iter().enumerate() {
            macros.merge(table);
            let outcome = match outcome {
                Outcome::Dismissed(size, Some(bytes)) if is_beside[file] => Outcome::Kept(bytes, size),
                outcome => outcome,
            };
            match outcome {
                Outcome::Kept(bytes, size) => {
                    self.count("bytes read", size);
                    self.result
                        .sources
                        .insert(Arc::clone(&self.files[file].shown), Arc::clone(&bytes));
                    loaded.push(Loaded { file, bytes });
                }
                Outcome::Dismissed(size, _) => {
                    self.dismissed.push(file);
                    self.count("bytes read", size);
                }
                // A file somebody asked about by name is owed an answer.
                Outcome::Failed(reason) if self.files[file].named => self.result.unread.push(reason),
                Outcome::Failed(reason) => self.result.warnings.push(reason),
                Outcome::Broken(message) => self.result.internal_errors.push(message),
            }
        }
        let options = loaded
            .par_iter()
            .flat_map_iter(|it| syntax::toolkit_options(&it.bytes));
        self.options = options.filter(|it| !macros.knows(it)).collect();
        self.count("files relevant", loaded.len() as u64);
        self.stage_done("read");
        (loaded, macros)
    }

    /// Facts of every file, linked, with the rules asked; twice when preprocessor configurations may matter.
    fn ask(&mut self, mut loaded: Vec<Loaded>, macros: &Arc<MacroTable>) -> Result<Vec<Finding>, Error> {
        let mut extracted = self.extract(&loaded, macros);
        let as_written = extracted.flips.clone();
        let settled = self.settle(&loaded, macros, &mut extracted);
        self.stop.check()?;
        let Extracted {
            units,
            mut comments,
            flips,
        } = extracted;
        let mut reading = Reading {
            as_written,
            flips: flips.clone(),
            settled,
            own: loaded.len(),
            variants: Vec::new(),
            wanted: Wanted::default(),
        };
        let Some(mut program) = self.link(units) else {
            return Ok(Vec::new());
        };
        self.stop.check()?;
        let waits = rules::wants_variants(&program);
        // Another configuration matters only where something waits, or could, and where a stream is captured.
        let matters = |(index, _): &(usize, Flip)| {
            waits && program.may_hold_wait(*index) || program.mentions_capture(*index)
        };
        let flips: Vec<_> = flips.into_iter().filter(matters).collect();
        if !loaded.is_empty() {
            reading.wanted = Wanted::of(&program);
            let callers = self.callers(&program, &loaded, &reading.wanted);
            // Files that were named and can have no part in anything: there is nothing to say of them.
            let is_reported = |it: &Loaded| self.files[it.file].reported;
            if !loaded.iter().chain(&callers).any(is_reported) {
                return Ok(Vec::new());
            }
            let added = self.extract(&callers, macros);
            let moved = |(index, it)| (index + loaded.len(), it);
            comments.extend(added.comments.into_iter().map(moved));
            loaded.extend(callers);
            let variants = self.variants(&loaded, macros, &flips);
            self.stop.check()?;
            let is_whole = variants.len() == flips.len();
            reading.variants = flips;
            if !is_whole {
                // Nobody could say which one is missing.
                reading.own = 0;
            }
            if !variants.is_empty() || !added.units.is_empty() {
                let mut units = program.into_units();
                units.extend(added.units);
                units.extend(variants);
                let Some(with_variants) = self.link(units) else {
                    return Ok(Vec::new());
                };
                program = with_variants;
                self.stop.check()?;
            }
        }
        if self.known.is_none() {
            let findings = self.judge(&program, &loaded, &comments, None);
            // Taking a program apart node by node costs as much as linking it, and the process is about to end.
            std::mem::forget(program);
            return findings;
        }
        let (last, others) = self.remember(program, macros, loaded, comments, reading);
        self.judge_last(last, others)
    }

    /// Asks the rules, and applies the comments in the source.
    pub(super) fn judge(
        &mut self,
        program: &Program,
        loaded: &[Loaded],
        comments: &[MarkedComments],
        answers: Option<&Answers>,
    ) -> Result<Vec<Finding>, Error> {
        let named = self.named(loaded, |it| it.reported);
        if self.asks_contracts {
            self.result.contracts = self.contracts(program, named.as_ref());
            return Ok(Vec::new());
        }
        self.tell_first(program, loaded, comments, answers)?;
        let outcome = self.check(program, named.as_ref(), answers);
        self.result.first_launches = outcome.first_launches;
        self.result.unreached = outcome.unreached;
        for (name, amount) in outcome.counters {
            self.count(name, amount);
        }
        self.stop.check()?;
        self.stage_done("rules");
        let findings = self.suppress(outcome.findings, loaded, comments);
        self.stage_done("suppressions");
        Ok(findings)
    }

    /// Tells what is found in files that come first, before the others are looked at.
    fn tell_first(
        &mut self,
        program: &Program,
        loaded: &[Loaded],
        comments: &[MarkedComments],
        answers: Option<&Answers>,
    ) -> Result<(), Error> {
        let Some(first) = self.first.take() else {
            return Ok(());
        };
        let is_first = |it: &SourceFile| first.paths.contains(&it.path);
        let Some(named) = self.named(loaded, is_first).filter(|it| !it.is_empty()) else {
            return Ok(());
        };
        let files = named.iter().map(|it| &self.files[loaded[it.0 as usize].file]);
        let shown: BTreeSet<Arc<str>> = files.map(|it| Arc::clone(&it.shown)).collect();
        let begun = std::mem::take(&mut self.result);
        self.result.sources = begun.sources.clone();
        let outcome = self.check(program, Some(&named), answers);
        let mut findings = self.suppress(outcome.findings, loaded, comments);
        findings.retain(|it| shown.contains(&it.primary.path));
        self.keep(findings);
        let told = std::mem::replace(&mut self.result, begun);
        self.stop.check()?;
        (first.tell)(told);
        self.stage_done("edited files");
        Ok(())
    }

    pub(super) fn rule_options(&self) -> rules::Options {
        rules::Options {
            lazy_loading: self.settings.module_loading == ModuleLoading::Lazy,
            per_thread_default_stream: self.settings.base.default_stream == DefaultStream::PerThread,
            pedantic: self.settings.pedantic,
            cuda_version: self.settings.cuda_version.0,
            statistics: self.known.is_none(),
        }
    }

    /// Files that are meant, where they are not all.
    fn named(&self, loaded: &[Loaded], is_meant: impl Fn(&SourceFile) -> bool) -> Option<BTreeSet<FileId>> {
        let is_named = |(_, it): &(usize, &Loaded)| is_meant(&self.files[it.file]);
        let all = loaded.iter().enumerate().filter(is_named);
        let named: BTreeSet<FileId> = all.map(|(index, _)| FileId(index as u32)).collect();
        (named.len() < loaded.len()).then_some(named)
    }

    /// Every rule over every entry point that can concern the named files; a bug costs one entry point.
    fn check(
        &mut self,
        program: &Program,
        named: Option<&BTreeSet<FileId>>,
        answers: Option<&Answers>,
    ) -> rules::Outcome {
        let options = &self.rule_options();
        let panics = Mutex::new(Vec::new());
        let stop = &self.stop;
        let outcome = rules::check_with(program, options, named, &|round, entries, check| {
            self.progress.begin(Phase::Following, entries.len());
            let one = |entry: &FunctionId| {
                let checked = match stop.is_asked() {
                    true => Ok(rules::Outcome::default()),
                    false => guarded(|| match answers {
                        Some(answers) => answers.get((round, *entry), || check(*entry)),
                        None => check(*entry),
                    }),
                };
                self.progress.step();
                checked
            };
            let parts: Vec<_> = entries.par_iter().with_max_len(1).map(one).collect();
            let sound = |part: Result<rules::Outcome, String>| match part {
                Ok(outcome) => Some(outcome),
                Err(panic) => {
                    panics.lock().unwrap_or_else(PoisonError::into_inner).push(panic);
                    None
                }
            };
            parts.into_iter().filter_map(sound).collect()
        });
        let panics = panics.into_inner().unwrap_or_else(PoisonError::into_inner);
        let errors = panics.iter().map(|panic| internal_error("the rules", panic));
        self.result.internal_errors.extend(errors);
        outcome
    }

    /// Files without a word of CUDA that call something that waits or streams work, a `main` in a file of its own, say,
    /// or define what the others only declare and call, and those that they or the others include.
    fn callers(&mut self, program: &Program, loaded: &[Loaded], wanted: &Wanted) -> Vec<Loaded> {
        let one = |file: &usize| -> Option<(Loaded, Answered)> {
            // It could be read a moment ago: what fails now is skipped.
            let bytes = self.bytes_of(&self.files[*file])?;
            let answered = wanted.answered_by(&bytes)?;
            Some((Loaded { file: *file, bytes }, answered))
        };
        let all: Vec<(Loaded, Answered)> = self.dismissed.par_iter().filter_map(one).collect();
        let mut times = vec![0; wanted.count()];
        // What many files call, the tests of a library say, more of them call the same way.
        let adds = |(loaded, answered): (Loaded, Answered)| {
            let rare = answered.defines || answered.called.iter().any(|it| times[*it] < CALLERS_OF_ONE);
            answered.called.iter().for_each(|it| times[*it] += 1);
            rare.then_some(loaded)
        };
        let mut callers: Vec<Loaded> = all.into_iter().filter_map(adds).collect();
        let files = loaded.iter().enumerate();
        let followed = program.files_followed();
        let included = files.filter(|(index, _)| followed.contains(&FileId(*index as u32)));
        let seeds = included.map(|(_, it)| it).chain(&callers);
        let seeds = seeds.map(|it| (it.file, Arc::clone(&it.bytes))).collect();
        let read: BTreeMap<usize, Arc<[u8]>> =
            loaded.iter().map(|it| (it.file, Arc::clone(&it.bytes))).collect();
        let load = |it: &SourceFile| self.bytes_of(it);
        let helpers = companions::find(&self.files, &self.dismissed, &read, seeds, load);
        // What is timed is decided where a clock is read.
        let others = read.clone().into_iter().collect();
        let clocks = companions::find(&self.files, &self.dismissed, &read, others, load);
        let called = callers.iter().map(|it| it.file);
        let known: BTreeSet<usize> = helpers.iter().map(|it| it.0).chain(called).collect();
        let clocks = clocks
            .into_iter()
            .filter(|(file, bytes)| !known.contains(file) && syntax::reads_clock(bytes));
        let own = companions::own_headers(&self.files, &self.dismissed, &read);
        let small = |it: &Arc<[u8]>| it.len() <= companions::MAX_BYTES;
        let own = own.into_iter().filter(|it| !known.contains(it));
        let own = own.filter_map(|it| Some((it, self.bytes_of(&self.files[it]).filter(small)?)));
        let own: BTreeMap<usize, Arc<[u8]>> = clocks.chain(own).collect();
        let helpers = helpers.into_iter().chain(own);
        callers.extend(helpers.map(|(file, bytes)| Loaded { file, bytes }));
        for Loaded { file, bytes } in &callers {
            let shown = Arc::clone(&self.files[*file].shown);
            self.result.sources.insert(shown, Arc::clone(bytes));
        }
        self.count("files without CUDA followed", callers.len() as u64);
        callers
    }

    /// Facts of every file in its own configuration.
    fn extract(&mut self, loaded: &[Loaded], macros: &Arc<MacroTable>) -> Extracted {
        self.progress.begin(Phase::Parsing, loaded.len());
        let one = |loaded: &Loaded| {
            self.progress.step();
            guarded(|| {
                let (defines, per_thread) = self.macros_of(loaded);
                let known = self.facts(loaded, defines, macros);
                (
                    self.unit(loaded, known.facts, per_thread),
                    known.flips,
                    known.parsed,
                )
            })
        };
        // Files differ in size by orders of magnitude: a thread takes one at a time.
        let outcomes: Vec<_> = loaded.par_iter().with_max_len(1).map(one).collect();
        let mut extracted = Extracted::default();
        for (index, (loaded, outcome)) in loaded.iter().zip(outcomes).enumerate() {
            let (unit, flips, parsed) = outcome.unwrap_or_else(|panic| {
                let message = internal_error(&self.files[loaded.file].shown, &panic);
                self.result.internal_errors.push(message);
                // Keeps the place, so that units and loaded files share their index.
                (self.unit(loaded, Arc::default(), false), Vec::new(), true)
            });
            self.count("bytes parsed", if parsed { loaded.bytes.len() as u64 } else { 0 });
            self.count("bytes not understood", unit.facts.quality.error_bytes);
            if !unit.facts.marked_comments.is_empty() {
                let comments = unit.facts.marked_comments.clone();
                extracted.comments.push((index, comments));
            }
            extracted.units.push(unit);
            extracted
                .flips
                .extend(flips.into_iter().map(|flip| (index, flip)));
        }
        self.stage_done("facts");
        extracted
    }

    /// Extracts files again where a macro that decides over CUDA code is defined in a header they include.
    /// Says with which definitions, by the index of the file.
    fn settle(
        &self,
        loaded: &[Loaded],
        macros: &Arc<MacroTable>,
        extracted: &mut Extracted,
    ) -> BTreeMap<usize, Defines> {
        let mut names: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for (index, flip) in extracted.flips.iter().filter(|(_, it)| it.value.is_some()) {
            names.entry(*index).or_default().insert(flip.name.clone());
        }
        let load = |file: &SourceFile| self.bytes_of(file);
        let headers = Headers::new(&self.files, &load);
        let one = |(index, names): (&usize, &BTreeSet<String>)| {
            let loaded = &loaded[*index];
            let again = guarded(|| {
                let (mut defines, per_thread) = self.macros_of(loaded);
                let known = headers.definitions(loaded.file, &loaded.bytes, names, &defines);
                let is_new = !known.is_empty();
                let values = known.into_iter().map(|(name, value)| (name, Some(value)));
                defines.values.extend(values);
                is_new.then(|| {
                    let known = self.facts(loaded, defines.clone(), macros);
                    (self.unit(loaded, known.facts, per_thread), known.flips, defines)
                })
            });
            Some((*index, again.ok()??))
        };
        let settled: Vec<_> = names.par_iter().filter_map(one).collect();
        let mut by_index = BTreeMap::new();
        for (index, (unit, flips, defines)) in settled {
            by_index.insert(index, defines);
            extracted.units[index] = unit;
            extracted.flips.retain(|(at, _)| *at != index);
            extracted.flips.extend(flips.into_iter().map(|it| (index, it)));
        }
        extracted.flips.sort_by_key(|(index, _)| *index);
        by_index
    }

    /// The facts of a file under these definitions; nothing of it once the run is to stop.
    pub(super) fn facts(&self, loaded: &Loaded, defines: Defines, macros: &Arc<MacroTable>) -> Facts {
        if self.stop.is_asked() {
            return Facts::default();
        }
        let mut parsed = false;
        let mut extract = |defines: &Defines| {
            parsed = true;
            extract_with_flips(&loaded.bytes, defines, macros)
        };
        let (facts, flips) = match &self.known {
            Some(known) => {
                let path = &self.files[loaded.file].path;
                known.extract(path, &loaded.bytes, defines, macros, extract)
            }
            None => {
                let (facts, flips) = extract(&defines);
                (Arc::new(facts), flips)
            }
        };
        Facts { facts, flips, parsed }
    }

    pub(super) fn macros_of(&self, loaded: &Loaded) -> (Defines, bool) {
        let file = &self.files[loaded.file];
        let flags = self.commands.flags(&file.path);
        let (mut defines, per_thread) = macros::for_file(
            &file.path,
            &loaded.bytes,
            self.settings.cuda_version,
            flags,
            &file.settings,
        );
        // A compile database knows which options are on.
        if flags.is_none() {
            for option in &self.options {
                let value = defines.values.entry(option.clone());
                value.or_insert_with(|| Some("1".to_owned()));
            }
        }
        (defines, per_thread)
    }

    fn unit(&self, loaded: &Loaded, facts: Arc<FileFacts>, per_thread_default_stream: bool) -> SourceUnit {
        SourceUnit {
            path: Arc::clone(&self.files[loaded.file].shown),
            located: Some(slashed(&self.files[loaded.file].path)),
            bytes: Arc::clone(&loaded.bytes),
            include_paths: self.include_paths(loaded.file, &facts),
            facts,
            per_thread_default_stream,
            ..SourceUnit::default()
        }
    }

    /// Which files of the project the `#include`s of a file find: next to it, then where its compile flags say.
    fn include_paths(&self, file: usize, facts: &FileFacts) -> BTreeMap<String, Arc<str>> {
        let file = &self.files[file];
        let Some(flags) = self.commands.flags(&file.path) else {
            return BTreeMap::new();
        };
        let beside = file.path.parent().map(Path::to_owned);
        let find = |include: &Include| {
            let beside = beside.iter().filter(|_| !include.system);
            let mut directories = beside.chain(&flags.include_directories);
            let found = directories.find_map(|it| self.by_path.get(&normalise(&it.join(&include.path))))?;
            Some((include.path.clone(), Arc::clone(&self.files[*found].shown)))
        };
        facts.includes.iter().filter_map(find).collect()
    }

    /// Facts of files with one preprocessor decision taken the other way.
    fn variants(
        &mut self,
        loaded: &[Loaded],
        macros: &Arc<MacroTable>,
        flips: &[(usize, Flip)],
    ) -> Vec<SourceUnit> {
        let one = |(index, flip): &(usize, Flip)| {
            let loaded = &loaded[*index];
            self.progress.step();
            let variant = guarded(|| {
                let (mut defines, per_thread) = self.macros_of(loaded);
                defines.values.insert(flip.name.clone(), flip.value.clone());
                SourceUnit {
                    variant_of: Some(*index),
                    configuration: Some(condition(flip)),
                    ..self.unit(loaded, self.facts(loaded, defines, macros).facts, per_thread)
                }
            });
            // What fails here has not failed in the base configuration: its answer stands.
            variant.ok()
        };
        self.progress.begin(Phase::Parsing, flips.len());
        let variants: Vec<SourceUnit> = flips.par_iter().with_max_len(1).filter_map(one).collect();
        self.count("configurations flipped", variants.len() as u64);
        self.stage_done("configurations");
        variants
    }

    fn link(&mut self, mut units: Vec<SourceUnit>) -> Option<Program> {
        self.progress.begin(Phase::Linking, 0);
        units.extend(self.models.iter().cloned());
        let program = guarded(|| match self.asks_contracts {
            true => Program::link_offers(units),
            false => Program::link(units),
        });
        self.stage_done("link");
        program
            .map_err(|panic| {
                self.result
                    .internal_errors
                    .push(internal_error("linking", &panic))
            })
            .ok()
    }

    /// Applies the comments in the source; `findings` are all there are, so that a comment one of them uses counts as used.
    fn suppress(
        &mut self,
        mut findings: Vec<Finding>,
        loaded: &[Loaded],
        comments: &[MarkedComments],
    ) -> Vec<Finding> {
        drop_repeated_configurations(&mut findings);
        if self.keep_suppressed {
            return findings;
        }
        let files: Vec<CommentedFile<'_>> = comments
            .iter()
            .map(|(index, comments)| CommentedFile {
                path: Arc::clone(&self.files[loaded[*index].file].shown),
                bytes: &loaded[*index].bytes,
                comments,
            })
            .collect();
        let by_path: BTreeMap<&str, &SourceFile> =
            self.files.iter().map(|file| (&*file.shown, file)).collect();
        let enabled = |path: &str, rule: &str| {
            by_path
                .get(path)
                .is_some_and(|file| file.settings.rules.contains(rule))
        };
        let outcome = guarded(|| suppress::apply(findings, &files, &enabled)).unwrap_or_else(|panic| {
            self.result
                .internal_errors
                .push(internal_error("suppression comments", &panic));
            suppress::Suppressed::default()
        });
        self.result.suppressed = outcome.suppressed;
        outcome.findings
    }

    /// Keeps the findings that were asked for: a step in a reported file, selected rules, enough confidence, not in the baseline.
    fn keep(&mut self, mut findings: Vec<Finding>) {
        let files: BTreeMap<&str, &SourceFile> = self.files.iter().map(|file| (&*file.shown, file)).collect();
        let reported = |path: &str| files.get(path).is_some_and(|it| it.reported);
        let mut unsure = 0;
        findings.retain_mut(|finding| {
            let Some(file) = files.get(&*finding.primary.path) else {
                return false;
            };
            if let Some(severity) = file.settings.severity.get(finding.rule) {
                finding.severity = *severity;
            }
            let asked = file.settings.rules.contains(finding.rule)
                && finding.locations().any(|it| reported(&it.path));
            let sure = finding.confidence >= file.settings.min_confidence;
            unsure += usize::from(asked && !sure);
            asked && sure
        });
        self.result.unsure = unsure;
        sort(&mut findings);
        self.result.findings = findings;
        if let Some(baseline) = &self.baseline {
            baseline.apply(&self.files, &mut self.result);
        }
        for (name, amount) in assumptions(&self.result.findings) {
            self.count(name, amount);
        }
    }
}

/// What was assumed for findings, and how many of them assume anything, by confidence.
fn assumptions(findings: &[Finding]) -> Vec<(&'static str, u64)> {
    let mut counts = vec![("assumptions", 0)];
    for (confidence, name) in [
        (
            Confidence::High,
            "findings of high confidence that assume something",
        ),
        (
            Confidence::Medium,
            "findings of medium confidence that assume something",
        ),
        (
            Confidence::Low,
            "findings of low confidence that assume something",
        ),
    ] {
        let assume = |it: &&Finding| it.confidence == confidence && !it.assumptions.is_empty();
        counts.push((name, findings.iter().filter(assume).count() as u64));
    }
    counts[0].1 = findings.iter().map(|it| it.assumptions.len() as u64).sum();
    counts
}

/// What one file says under some definitions.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) facts: Arc<FileFacts>,
    pub(super) flips: Vec<Flip>,
    /// It was not known before.
    pub(super) parsed: bool,
}

/// What the files say in their own configurations.
#[derive(Default)]
struct Extracted {
    /// One for each loaded file, in order.
    units: Vec<SourceUnit>,
    comments: Vec<MarkedComments>,
    /// Preprocessor decisions that could go the other way, with the index of their file.
    flips: Vec<(usize, Flip)>,
}

/// Comments of the file at an index that mention the tool.
pub(super) type MarkedComments = (usize, Vec<(Span, String)>);

/// The compile database at the top of the project.
pub(super) fn found_database(root: Option<&Path>) -> Option<PathBuf> {
    root.map(|root| root.join(FILE_NAME))
        .filter(|path| path.is_file())
}

/// The compile database: the one that was asked for must be usable; one that lies at the top of the project may be broken.
pub(super) fn compile_commands(
    root: Option<&Path>,
    settings: &Settings,
    warnings: &mut Vec<String>,
) -> Result<CompileCommands, Error> {
    if let Some(path) = &settings.compile_commands {
        return CompileCommands::read(path);
    }
    let Some(path) = found_database(root) else {
        return Ok(CompileCommands::default());
    };
    Ok(CompileCommands::read(&path).unwrap_or_else(|error| {
        warnings.push(format!("{error}; files are read without it"));
        CompileCommands::default()
    }))
}

pub(super) fn internal_error(what: &str, panic: &str) -> String {
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
}
