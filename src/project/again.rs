//! The same project once more: where an edit stays inside of functions, only what read these is asked again.
//!
//! What cannot be told apart from an edit that changes more is a first check.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Error;
use super::analyse::{Loaded, MarkedComments, Run};
use super::answers::Answers;
use super::companions::includes;
use super::compile_commands::CompileCommands;
use super::discover::SourceFile;
use super::guard::guarded;
use super::session::{File, scan};
use super::wanted::Wanted;
use crate::config::CudaVersion;
use crate::diagnostics::Finding;
use crate::program::edits::Edit;
use crate::program::{FileId, Program, SourceUnit};
use crate::rules;
use crate::syntax::lexer::{self, Kind};
use crate::syntax::{self, Defines, Flip, MacroTable};

/// So many entry points to follow again take long enough to say first what is found in the edited files.
const WORTH_TELLING: usize = 32;

/// How the files of a project were read.
pub(super) struct Reading {
    /// Preprocessor decisions that could go the other way, by the index of the unit: without what headers define.
    pub as_written: Vec<(usize, Flip)>,
    /// The same with that.
    pub flips: Vec<(usize, Flip)>,
    /// What files are read with that headers define something for.
    pub settled: BTreeMap<usize, Defines>,
    /// So many units are files with CUDA in them; then come those that are read for these.
    pub own: usize,
    /// Other configurations, by the index of the unit they are one of.
    pub variants: Vec<(usize, Flip)>,
    /// What files without CUDA were asked for.
    pub wanted: Wanted,
}

/// What a check leaves for the next one.
pub(super) struct Last {
    project: Project,
    /// The files, as far as they could be read.
    files: Vec<Option<Arc<File>>>,
    macros: Arc<MacroTable>,
    toolkit: BTreeSet<String>,
    program: Program,
    /// Units by the index of their file.
    loaded: Vec<usize>,
    comments: Vec<MarkedComments>,
    reading: Reading,
    warnings: Vec<String>,
    unread: Vec<String>,
    answers: Answers,
}

/// What is the same for all checks that answer for each other.
#[derive(PartialEq)]
struct Project {
    files: Vec<FileKey>,
    commands: CompileCommands,
    models: Vec<(Arc<str>, Arc<[u8]>)>,
    options: rules::Options,
    cuda_version: CudaVersion,
}

/// What there is of a file beside its bytes; where it is reported may change.
#[derive(PartialEq)]
struct FileKey {
    path: std::path::PathBuf,
    shown: Arc<str>,
    settings: Arc<crate::config::FileSettings>,
}

impl FileKey {
    fn of(file: &SourceFile) -> Self {
        FileKey {
            path: file.path.clone(),
            shown: Arc::clone(&file.shown),
            settings: Arc::clone(&file.settings),
        }
    }
}

/// One file that changed, as it is now.
struct Changed {
    /// Its units.
    edits: Vec<Edit>,
    index: usize,
    comments: Vec<(syntax::Span, String)>,
}

impl Run {
    /// What is found, where the last check of the project answers most of it.
    pub(super) fn again(&mut self) -> Result<Option<Vec<Finding>>, Error> {
        let Some(known) = self.known.clone() else {
            return Ok(None);
        };
        let mut earlier = known.take_last();
        if earlier.is_empty() {
            return Ok(None);
        }
        let files = self.files_now();
        let (mut at, mut found) = (0, None);
        while at < earlier.len() && found.is_none() && !self.stop.is_asked() {
            match guarded(|| self.caught_up(&mut earlier[at], &files)) {
                Ok(Some(changed)) => found = Some((earlier.remove(at), changed)),
                Ok(None) => at += 1,
                // Half of an edit may be in it.
                Err(_) => drop(earlier.remove(at)),
            }
        }
        let Some((mut last, changed)) = found else {
            known.put_last(earlier);
            self.stop.check()?;
            return Ok(None);
        };
        for Changed { index, comments, .. } in changed {
            known.tidy_file(&self.files[last.loaded[index]].path);
            last.comments.retain(|(at, _)| *at != index);
            if !comments.is_empty() {
                last.comments.push((index, comments));
            }
            last.comments.sort_by_key(|(at, _)| *at);
        }
        last.files = files;
        self.take_sources(&last);
        self.result.warnings.extend_from_slice(&last.warnings);
        self.result.unread.clone_from(&last.unread);
        self.stage_done("again");
        self.judge_last(last, earlier).map(Some)
    }

    /// The files that changed since an earlier check, put into its program; `None` where that has to be linked anew.
    fn caught_up(&mut self, last: &mut Last, files: &[Option<Arc<File>>]) -> Option<Vec<Changed>> {
        let changed = self.edited(last, files)?;
        // What a check that is to stop has read says nothing.
        self.stop.check().ok()?;
        let edits: Vec<Edit> = changed.iter().flat_map(|it| it.edits.iter().cloned()).collect();
        if !edits.is_empty() {
            let changes = last.program.changes_by(&edits)?;
            if !last.program.take_in(edits, &changes) {
                return None;
            }
            if last.answers.forget(&last.program, &changes) < WORTH_TELLING {
                self.first = None;
            }
        } else {
            self.first = None;
        }
        Some(changed)
    }

    fn take_sources(&mut self, last: &Last) {
        for file in &last.loaded {
            if let Some(read) = &last.files[*file] {
                let shown = Arc::clone(&self.files[*file].shown);
                self.result.sources.insert(shown, Arc::clone(&read.bytes));
            }
        }
    }

    /// Asks the rules, and leaves the program for the next check, with what `others` know.
    pub(super) fn judge_last(&mut self, last: Last, mut others: Vec<Last>) -> Result<Vec<Finding>, Error> {
        let loaded = last.loaded.iter().map(|file| Loaded {
            file: *file,
            bytes: last.files[*file]
                .as_ref()
                .map_or_else(|| Arc::from([]), |it| Arc::clone(&it.bytes)),
        });
        let loaded: Vec<Loaded> = loaded.collect();
        self.count("entry points known from before", last.answers.count() as u64);
        let findings = self.judge(&last.program, &loaded, &last.comments, Some(&last.answers));
        let is_sound = self.result.internal_errors.is_empty() && last.reading.own > 0;
        if let Some(known) = &self.known {
            if is_sound {
                others.insert(0, last);
            }
            known.put_last(others);
        }
        findings
    }

    fn files_now(&self) -> Vec<Option<Arc<File>>> {
        self.files.iter().map(|it| self.load(it).ok()).collect()
    }

    fn project(&self) -> Project {
        let models = self.models.iter();
        Project {
            files: self.files.iter().map(FileKey::of).collect(),
            commands: self.commands.clone(),
            models: models
                .map(|it| (Arc::clone(&it.path), Arc::clone(&it.bytes)))
                .collect(),
            options: self.rule_options(),
            cuda_version: self.settings.cuda_version,
        }
    }

    /// A program that was linked anew, and of what the last one's entry points came to what still holds; and the last one where
    /// nothing does: an edit may lead back to it.
    pub(super) fn remember(
        &mut self,
        program: Program,
        macros: &Arc<MacroTable>,
        loaded: Vec<Loaded>,
        comments: Vec<MarkedComments>,
        reading: Reading,
    ) -> (Last, Vec<Last>) {
        let mut answers = Answers::default();
        let project = self.project();
        let mut others = self.known.as_ref().map_or_else(Vec::new, |it| it.take_last());
        others.retain(|it| it.project == project);
        if let Some(last) = others.first() {
            let changes = || program.changes_since(&last.program);
            if rules::get_the_same(&last.program, &program)
                && let Ok(Some(changes)) = guarded(changes)
            {
                last.answers.forget(&program, &changes);
                let last = others.remove(0);
                answers = last.answers;
                rayon::spawn(move || drop(last.program));
            }
        }
        let dropped = others.split_off(others.len().min(1));
        rayon::spawn(move || drop(dropped));
        let mut files = self.files_now();
        // What was linked is what the answers are about, whatever the disk says by now.
        for it in &loaded {
            let is_same = files[it.file]
                .as_ref()
                .is_some_and(|file| Arc::ptr_eq(&file.bytes, &it.bytes));
            if !is_same {
                files[it.file] = Some(Arc::new(File::new(Arc::clone(&it.bytes))));
            }
        }
        let last = Last {
            project,
            files,
            macros: Arc::clone(macros),
            toolkit: self.options.clone(),
            program,
            loaded: loaded.into_iter().map(|it| it.file).collect(),
            comments,
            reading,
            warnings: self.result.warnings[self.told..].to_vec(),
            unread: self.result.unread.clone(),
            answers,
        };
        (last, others)
    }

    /// The files that changed, read again; `None` where that may change more than what is inside of functions.
    fn edited(&mut self, last: &Last, files: &[Option<Arc<File>>]) -> Option<Vec<Changed>> {
        if last.project != self.project() {
            return None;
        }
        self.options.clone_from(&last.toolkit);
        let pairs = last.files.iter().zip(files).enumerate();
        let differ = pairs.filter(|(_, (old, new))| match (old, new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(&old.bytes, &new.bytes) && old.bytes != new.bytes,
            (old, new) => old.is_some() != new.is_some(),
        });
        let differ: Vec<usize> = differ.map(|(file, _)| file).collect();
        let changed = differ.into_iter().map(|file| self.changed(last, file, files));
        Some(
            changed
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .flatten()
                .collect(),
        )
    }

    /// One file that changed; nothing of it where no program has it before or after.
    fn changed(&mut self, last: &Last, file: usize, files: &[Option<Arc<File>>]) -> Option<Option<Changed>> {
        let (old, new) = (last.files[file].as_ref()?, files[file].as_ref()?);
        let reading = &last.reading;
        if reading.own == 0 {
            return None;
        }
        let (before, now) = (
            old.scan.get_or_init(|| scan(&old.bytes)),
            new.scan.get_or_init(|| scan(&new.bytes)),
        );
        let same = before.is_relevant == now.is_relevant
            && before.starts == now.starts
            && before.macros == now.macros
            && syntax::toolkit_options(&old.bytes) == syntax::toolkit_options(&new.bytes)
            && includes(&old.bytes).eq(includes(&new.bytes))
            && directives(&old.bytes) == directives(&new.bytes);
        if !same {
            return None;
        }
        let index = last.loaded.iter().position(|it| *it == file);
        let is_own = index.is_some_and(|it| it < reading.own);
        if !is_own && !reading.wanted.are_alike(&old.bytes, &new.bytes) {
            return None;
        }
        let Some(index) = index else {
            return Some(None);
        };
        let loaded = Loaded {
            file,
            bytes: Arc::clone(&new.bytes),
        };
        let unit = FileId(index as u32);
        let (defines, per_thread) = self.macros_of(&loaded);
        if per_thread != self.unit_of(last, unit).per_thread_default_stream {
            return None;
        }
        let of = |all: &[(usize, Flip)]| -> Vec<Flip> {
            let own = all.iter().filter(|(at, _)| *at == index);
            own.map(|(_, flip)| flip.clone()).collect()
        };
        let mut read = self.facts(&loaded, defines.clone(), &last.macros);
        let mut parsed = read.parsed;
        // Only files with CUDA in them are read in other ways.
        if is_own && read.flips != of(&reading.as_written) {
            return None;
        }
        if let Some(settled) = reading.settled.get(&index) {
            read = self.facts(&loaded, settled.clone(), &last.macros);
            parsed |= read.parsed;
            if read.flips != of(&reading.flips) {
                return None;
            }
        }
        let comments = read.facts.marked_comments.clone();
        let edit = |file, facts| Edit {
            file,
            facts,
            bytes: Arc::clone(&new.bytes),
        };
        let mut edits = vec![edit(unit, read.facts)];
        for (at, (_, flip)) in reading
            .variants
            .iter()
            .enumerate()
            .filter(|(_, (of, _))| *of == index)
        {
            let mut defines = defines.clone();
            defines.values.insert(flip.name.clone(), flip.value.clone());
            let facts = self.facts(&loaded, defines, &last.macros).facts;
            edits.push(edit(FileId((last.loaded.len() + at) as u32), facts));
        }
        self.count("bytes parsed", if parsed { new.bytes.len() as u64 } else { 0 });
        Some(Some(Changed {
            edits,
            index,
            comments,
        }))
    }

    fn unit_of<'l>(&self, last: &'l Last, unit: FileId) -> &'l SourceUnit {
        &last.program.units()[unit.0 as usize]
    }
}

/// The preprocessor's part of a file.
fn directives(bytes: &[u8]) -> Vec<&[u8]> {
    let tokens = lexer::lex_file(bytes).tokens;
    let directives = tokens.iter().filter(|it| matches!(it.kind, Kind::Directive));
    directives.map(|it| it.text(bytes)).collect()
}
