//! Checks of projects that change little by little: what was read of files that stayed as they are is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use super::again::Last;
use super::analyse::{Analysis, Run, make_room};
use super::discover::{Discovered, SourceFile};
use super::{Error, companions};
use crate::config::read;
use crate::facts::FileFacts;
use crate::syntax::{self, Defines, Flip, MacroTable, STACK_BYTES};

/// Larger files are data, not source.
pub const MAX_FILE_BYTES: u64 = 32 << 20;

/// Asks a check to stop early; it then ends with [`Error::Stopped`]. Clones ask the same check.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        match self.is_asked() {
            true => Err(Error::Stopped),
            false => Ok(()),
        }
    }
}

/// Files whose findings are wanted before all others are looked for.
pub struct First {
    /// Where they are.
    pub paths: BTreeSet<PathBuf>,
    /// Is told what is found in them, where the rest takes its time.
    pub tell: Box<dyn Fn(Analysis) + Send + Sync>,
}

/// Threads to check with, and what is known of files that were checked before.
pub struct Session {
    threads: Arc<rayon::ThreadPool>,
    known: Option<Arc<Known>>,
}

impl Session {
    /// Checks once, on `jobs` threads (0: one per core): nothing is kept.
    pub fn once(jobs: usize) -> Result<Self, Error> {
        make_room();
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .stack_size(STACK_BYTES)
            .start_handler(|_| make_room())
            .build()?;
        Ok(Session {
            threads: Arc::new(threads),
            known: None,
        })
    }

    /// Checks again and again: bytes and facts of files that stay the same are kept from one time to the next.
    pub fn lasting(jobs: usize) -> Result<Self, Error> {
        Ok(Session {
            known: Some(Arc::default()),
            ..Session::once(jobs)?
        })
    }

    /// The same for another project, on the same threads.
    pub fn beside(&self) -> Self {
        Session {
            threads: Arc::clone(&self.threads),
            known: Some(Arc::default()),
        }
    }

    /// Analyses a project; `keep_suppressed` reports what comments keep quiet, too.
    pub fn analyse(
        &self,
        project: Discovered,
        keep_suppressed: bool,
        stop: &Stop,
    ) -> Result<Analysis, Error> {
        self.analyse_first(project, keep_suppressed, stop, None)
    }

    /// Does something on its threads, with room for deep nesting.
    pub(super) fn install<T: Send>(&self, what: impl FnOnce() -> T + Send) -> T {
        self.threads.install(what)
    }

    /// The same, with some files before the others.
    pub fn analyse_first(
        &self,
        project: Discovered,
        keep_suppressed: bool,
        stop: &Stop,
        first: Option<First>,
    ) -> Result<Analysis, Error> {
        let known = self.known.clone();
        // Everything that holds facts is also dropped in there: there is room for deep nesting.
        let analyse = || Run::new(project, keep_suppressed, known, stop.clone(), first)?.finish();
        self.threads.install(analyse)
    }

    /// Reads these files again, whatever the times of the disk say.
    pub fn forget(&self, paths: &[PathBuf]) {
        if let Some(known) = &self.known {
            let mut files = known.files();
            paths.iter().for_each(|it| drop(files.remove(it)));
        }
    }
}

/// What is known of the files of earlier checks.
#[derive(Default)]
pub(super) struct Known {
    files: Mutex<BTreeMap<PathBuf, Arc<File>>>,
    facts: Mutex<BTreeMap<PathBuf, Vec<Extraction>>>,
    /// The macros of all files of the last check: facts hold for these only.
    macros: Mutex<Arc<MacroTable>>,
    /// Programs of earlier checks, and what their entry points came to, the newest first: somebody who types a parenthesis
    /// comes back to the one before when he closes it.
    last: Mutex<Vec<Last>>,
}

/// One file as it was read.
pub(super) struct File {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    stamp: Option<Stamp>,
    /// What a look at the bytes said.
    pub scan: OnceLock<Scan>,
}

impl File {
    /// A file that is read once.
    pub(super) fn new(bytes: Arc<[u8]>) -> Self {
        File {
            bytes,
            stamp: None,
            scan: OnceLock::new(),
        }
    }
}

/// What bytes say without being parsed.
pub(super) struct Scan {
    /// Macros other files need to know.
    pub macros: MacroTable,
    /// It can hold a finding or take part in one.
    pub is_relevant: bool,
    /// A program may start in it.
    pub starts: bool,
}

/// What changes when a file on disk does: time of the last change, and length.
type Stamp = (SystemTime, u64);

/// The facts of a file in one configuration.
struct Extraction {
    bytes: Arc<[u8]>,
    defines: Defines,
    macros: Arc<MacroTable>,
    facts: Arc<FileFacts>,
    flips: Vec<Flip>,
    /// The running check asked for it.
    is_used: bool,
}

impl Known {
    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<File>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn facts(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<Extraction>>> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the last checks left, the newest first.
    pub(super) fn take_last(&self) -> Vec<Last> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *last)
    }

    /// Leaves it for the next.
    pub(super) fn put_last(&self, last: Vec<Last>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// Drops what the check that ends here did not ask for of one file.
    pub(super) fn tidy_file(&self, path: &Path) {
        if let Some(known) = self.facts().get_mut(path) {
            known.retain_mut(|it| std::mem::take(&mut it.is_used));
        }
    }

    /// A file, from memory where it is as it was.
    pub(super) fn load(&self, file: &SourceFile) -> Result<Arc<File>, String> {
        let before = self.files().get(&file.path).cloned();
        let stamp = match &file.content {
            Some(_) => None,
            None => std::fs::metadata(&file.path)
                .ok()
                .and_then(|it| Some((it.modified().ok()?, it.len()))),
        };
        let is_same = |it: &&Arc<File>| match &file.content {
            Some(content) => it.bytes == *content,
            None => stamp.is_some() && it.stamp == stamp,
        };
        if let Some(same) = before.as_ref().filter(is_same) {
            return Ok(Arc::clone(same));
        }
        let bytes = load(file)?;
        // Written again, or saved from an open document, with the same content: what is known of it stays true.
        let old = before.filter(|it| it.bytes == bytes);
        let loaded = Arc::new(File {
            bytes: old.map_or(bytes, |it| Arc::clone(&it.bytes)),
            stamp,
            scan: OnceLock::new(),
        });
        self.files().insert(file.path.clone(), Arc::clone(&loaded));
        Ok(loaded)
    }

    /// The same table as the last time, when it says the same.
    pub(super) fn macros(&self, table: MacroTable) -> Arc<MacroTable> {
        let mut last = self.macros.lock().unwrap_or_else(PoisonError::into_inner);
        if **last != table {
            *last = Arc::new(table);
        }
        Arc::clone(&last)
    }

    /// The facts of a file, extracted only where bytes, definitions or macros are not those of an earlier time.
    pub(super) fn extract(
        &self,
        path: &Path,
        bytes: &Arc<[u8]>,
        defines: Defines,
        macros: &Arc<MacroTable>,
        extract: impl FnOnce(&Defines) -> (FileFacts, Vec<Flip>),
    ) -> (Arc<FileFacts>, Vec<Flip>) {
        let holds = |it: &&mut Extraction| {
            Arc::ptr_eq(&it.bytes, bytes) && Arc::ptr_eq(&it.macros, macros) && it.defines == defines
        };
        if let Some(known) = self
            .facts()
            .get_mut(path)
            .and_then(|it| it.iter_mut().find(holds))
        {
            known.is_used = true;
            return (Arc::clone(&known.facts), known.flips.clone());
        }
        let (facts, flips) = extract(&defines);
        let facts = Arc::new(facts);
        let extraction = Extraction {
            bytes: Arc::clone(bytes),
            defines,
            macros: Arc::clone(macros),
            facts: Arc::clone(&facts),
            flips: flips.clone(),
            is_used: true,
        };
        let mut known = self.facts();
        known.entry(path.to_owned()).or_default().push(extraction);
        (facts, flips)
    }

    /// Drops what the check that ends here did not ask for. One that was stopped asked for too little to say.
    pub(super) fn tidy(&self, files: &[SourceFile]) {
        let there: BTreeSet<&Path> = files.iter().map(|it| it.path.as_path()).collect();
        self.files().retain(|path, _| there.contains(path.as_path()));
        self.facts().retain(|_, known| {
            known.retain_mut(|it| std::mem::take(&mut it.is_used));
            !known.is_empty()
        });
    }
}

/// The bytes of a file, unless it is no source.
pub(super) fn load(file: &SourceFile) -> Result<Arc<[u8]>, String> {
    if let Some(content) = &file.content {
        return Ok(Arc::clone(content));
    }
    let bytes = read::bytes(&file.path, MAX_FILE_BYTES).map_err(|error| error.to_string())?;
    match memchr::memchr(0, &bytes[..bytes.len().min(8192)]) {
        Some(_) => Err("it is binary".to_owned()),
        None => Ok(bytes.into()),
    }
}

/// Whether a file can hold a finding or take part in one.
fn is_relevant(bytes: &[u8]) -> bool {
    syntax::is_relevant(bytes)
        || memchr::memmem::find(bytes, b"cudalint").is_some()
        || crate::models::names_library(bytes)
}

/// What the bytes of a file say without being parsed.
pub(super) fn scan(bytes: &[u8]) -> Scan {
    let is_relevant = is_relevant(bytes);
    Scan {
        macros: syntax::collect_macros(bytes),
        is_relevant,
        starts: !is_relevant && starts(bytes),
    }
}

/// Whether a program may start in a file.
fn starts(bytes: &[u8]) -> bool {
    companions::defines(bytes, |it| it == b"main")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSource, FileConfig, Layer, Store};
    use crate::project::{Request, discover};

    /// A folder of its own, gone in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("cudalint-session-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a temporary folder can be made");
            Folder(path.canonicalize().expect("it is there"))
        }

        fn write(&self, name: &str, text: &str) {
            std::fs::write(self.0.join(name), text).expect("a temporary file can be written");
        }

        fn check(&self, session: &Session, contents: BTreeMap<PathBuf, Arc<[u8]>>) -> Analysis {
            let analysis = session.analyse(self.project(contents), false, &Stop::default());
            analysis.expect("nothing stops it")
        }

        fn project(&self, contents: BTreeMap<PathBuf, Arc<[u8]>>) -> Discovered {
            let layer = Layer {
                base: self.0.clone(),
                config: FileConfig::default(),
            };
            let request = Request {
                paths: vec![self.0.clone()],
                working_directory: self.0.clone(),
                respect_gitignore: false,
                contents,
                only: None,
            };
            let project = discover(&request, &mut Store::new(ConfigSource::Isolated, layer));
            project.expect("the folder can be read")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const WAITS: &str = "__device__ volatile int gate;\n__global__ void wait() { while (gate == 0) {} }\n\
        __global__ void go() { gate = 1; }\n";
    const LAUNCHES: &str = "#include \"k.cuh\"\nint main() { cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreate(&b);\n\
        wait<<<1, 1, 0, a>>>(); go<<<1, 1, 0, b>>>(); cudaDeviceSynchronize(); }\n";

    #[test]
    fn only_what_changed_is_parsed_again_and_the_answer_is_that_of_a_first_check() {
        let folder = Folder::new("again");
        folder.write("k.cuh", WAITS);
        folder.write("a.cu", LAUNCHES);
        let lasting = Session::lasting(1).expect("threads can be started");
        let first = folder.check(&lasting, BTreeMap::new());
        assert!(!first.findings.is_empty());
        let again = folder.check(&lasting, BTreeMap::new());
        assert_eq!(
            (
                again.counters.get("bytes parsed").copied().unwrap_or(0),
                &again.findings
            ),
            (0, &first.findings)
        );

        let text = format!("// moved\n{LAUNCHES}");
        let contents = BTreeMap::from([(folder.0.join("a.cu"), Arc::from(text.as_bytes()))]);
        let edited = folder.check(&lasting, contents.clone());
        let once = Session::once(1).expect("threads can be started");
        assert_eq!(edited.findings, folder.check(&once, contents).findings);
        assert_ne!(edited.findings, first.findings);
        assert_eq!(edited.counters["bytes parsed"], text.len() as u64);

        folder.write("a.cu", "int main() {}\n");
        assert!(folder.check(&lasting, BTreeMap::new()).findings.is_empty());
    }

    #[test]
    fn a_macro_of_one_file_changes_what_others_say() {
        let folder = Folder::new("macros");
        folder.write("m.h", "#define KERNEL __global__ // cuda\n");
        folder.write(
            "k.cuh",
            &format!("#include \"m.h\"\n{}", WAITS.replace("__global__", "KERNEL")),
        );
        folder.write("a.cu", LAUNCHES);
        let lasting = Session::lasting(1).expect("threads can be started");
        let first = folder.check(&lasting, BTreeMap::new());
        folder.write("m.h", "#define KERNEL static inline // cuda\n");
        let changed = folder.check(&lasting, BTreeMap::new());
        let once = Session::once(1).expect("threads can be started");
        assert_eq!(changed.findings, folder.check(&once, BTreeMap::new()).findings);
        assert_ne!(changed.findings, first.findings);
    }

    #[test]
    fn a_stopped_check_says_so() {
        let folder = Folder::new("stopped");
        folder.write("a.cu", LAUNCHES);
        let stop = Stop::default();
        stop.ask();
        let session = Session::lasting(1).expect("threads can be started");
        let stopped = session.analyse(folder.project(BTreeMap::new()), false, &stop);
        assert!(matches!(stopped, Err(Error::Stopped)));
    }
}
