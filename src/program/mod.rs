//! All files linked: names, kernels, methods, globals, call graph, kernel summaries. Immutable.

mod access;
mod blocking;
mod brief;
mod carriers;
mod comments;
mod current;
mod default_carriers;
pub mod edits;
mod elsewhere;
mod event_fields;
mod events;
mod folders;
mod freed;
mod index;
mod instances;
pub mod interfaces;
pub mod kernels;
mod leading;
mod makers;
mod members;
pub mod moves;
mod observed;
mod operands;
mod own_streams;
mod part;
mod partial;
mod promises;
mod reach;
pub mod reads;
mod receivers;
mod repeated;
mod resolve;
#[cfg(test)]
mod resolve_tests;
mod sites;
mod start;
mod statements;
mod texts;
mod twins;
mod visible;
mod worth;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

use serde::{Deserialize, Serialize};

use crate::facts::FileFacts;
use crate::facts::ir::{Class, ExprKind, Function, Global, Role, Target};
use crate::facts::visit;
use crate::models;
use crate::syntax::FastMap;
pub(crate) use blocking::INTRINSICS;
pub use default_carriers::DefaultCarrier;
pub use elsewhere::MadeElsewhere;
pub use event_fields::{EventFields, HalfUsed, SelfWaited, is_event_handle};
pub use freed::FreedByDefault;
use instances::Summaries;
use kernels::KernelSummary;
pub use leading::Leading;
pub use own_streams::{Field, OwnStream};
pub use promises::is_stream_handle;
use reach::Reach;
pub use resolve::{Scope, same_arguments};
pub use sites::CudaSite;
pub use twins::StreamLeftOut;

/// One file in one preprocessor configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A function: file and index into its `FileFacts::functions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FunctionId {
    /// File.
    pub file: FileId,
    /// Index into `FileFacts::functions`.
    pub index: u32,
}

/// A global variable: file and index into its `FileFacts::globals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlobalId {
    /// File.
    pub file: FileId,
    /// Index into `FileFacts::globals`.
    pub index: u32,
}

/// A class: file and index into its `FileFacts::classes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClassId {
    /// File.
    pub file: FileId,
    /// Index into `FileFacts::classes`.
    pub index: u32,
}

/// One file as linking takes it.
#[derive(Clone, Debug, Default)]
pub struct SourceUnit {
    /// Path as the user will see it, `/`-separated.
    pub path: Arc<str>,
    /// The same from the root of the file system, whatever the user sees; `None` where there is no such place.
    pub located: Option<Arc<str>>,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Index of the base unit this is another preprocessor configuration of.
    pub variant_of: Option<usize>,
    /// Which configuration, e.g. ``when `USE_GRAPH` is defined``.
    pub configuration: Option<String>,
    /// Compiled with per-thread default streams.
    pub per_thread_default_stream: bool,
    /// A stand-in for a library, not a part of the project: see [`crate::models`].
    pub model: bool,
    /// What `#include`s of this file mean where the compile database says it: path as written, path of a unit.
    pub include_paths: BTreeMap<String, Arc<str>>,
}

impl SourceUnit {
    /// Where the file lies, `/`-separated.
    pub(crate) fn place(&self) -> &str {
        self.located.as_ref().unwrap_or(&self.path)
    }

    /// The folder it lies in.
    pub(crate) fn folder(&self) -> &str {
        self.place().rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// The linked program.
#[derive(Debug, Default)]
pub struct Program {
    units: Vec<SourceUnit>,
    /// How many of them are the project's; models stand behind.
    own: usize,
    /// How many of them the project brings: its own, and its models.
    written: usize,
    names: Names,
    /// What kernels do, worked out when somebody asks.
    summaries: BTreeMap<FunctionId, Summaries>,
    /// Those of the objects that can be called on the device, by their `operator()`.
    callables: BTreeMap<FunctionId, Summaries>,
    reach: Reach,
    /// One for each unit.
    texts: Vec<texts::Text>,
    /// Worked out when somebody asks.
    sites: OnceLock<Vec<CudaSite>>,
    /// The same.
    own_streams: OnceLock<own_streams::OwnStreams>,
    /// Fields that somebody sets who names an object: `it->count = n`.
    set_from_outside: OnceLock<std::collections::BTreeSet<String>>,
    set_by_callers: OnceLock<std::collections::BTreeSet<GlobalId>>,
    /// The same.
    repeated: OnceLock<repeated::Repeated>,
    /// The function whose calls a test observes.
    observed: Option<String>,
    /// What every function that works for a stream comes to is asked for.
    asks_offers: bool,
}

/// Everything by last name segment.
#[derive(Debug, Default)]
struct Names {
    functions: FastMap<String, Vec<FunctionId>>,
    /// The same by the last two segments of their paths, `Class::method`.
    members: FastMap<String, Vec<FunctionId>>,
    /// Functions and methods by the name of the class or namespace they are in.
    inside: FastMap<String, Vec<FunctionId>>,
    /// Functions that run before `main` is entered.
    starters: Vec<FunctionId>,
    /// Definitions that another one in the same program takes the place of.
    weak: BTreeSet<FunctionId>,
    mains: usize,
    globals: FastMap<String, Vec<GlobalId>>,
    classes: FastMap<String, Vec<ClassId>>,
    /// Names of classes, to those of the classes they extend.
    bases: FastMap<String, Vec<String>>,
    /// The same the other way round.
    derived: FastMap<String, Vec<String>>,
    /// Which names make an event.
    vocabularies: Vec<events::Vocabulary>,
    constants: FastMap<String, Vec<(FileId, u32)>>,
    aliases: FastMap<String, Vec<(FileId, u32)>>,
    /// Names of template parameters.
    parameters: BTreeSet<String>,
    /// Methods that convert an object to another type.
    conversions: Vec<FunctionId>,
    /// Names of fields, and whether every field of that name is an array.
    array_fields: FastMap<String, bool>,
    /// Of members that are defined outside their class.
    access: BTreeMap<FunctionId, access::Access>,
    /// For each file, itself and the files it includes, directly or not, sorted.
    visible: Vec<Vec<FileId>>,
    /// The reverse: for each unit itself and those that include it, sorted.
    seen_by: Vec<Vec<FileId>>,
    /// For each file the first file of its directory.
    folders: folders::Folders,
    /// Lookups of names with many definitions: file, scope and name to the definition.
    lookups: Mutex<FastMap<Lookup, Option<(FileId, u32)>>>,
}

/// A name with more definitions than this is common.
const COMMON_NAME: usize = 8;

/// A name looked up from a scope of a file.
type Lookup = (FileId, String, String);

impl Program {
    /// Links the units: resolves names, summarises kernels, and finds out which functions can reach a wait.
    pub fn link(units: Vec<SourceUnit>) -> Program {
        Program::link_with(units, None, false)
    }

    /// The same, where what every function that works for a stream comes to is asked for.
    pub fn link_offers(units: Vec<SourceUnit>) -> Program {
        Program::link_with(units, None, true)
    }

    fn link_with(mut units: Vec<SourceUnit>, observed: Option<String>, asks_offers: bool) -> Program {
        // A stable sort: the project's units keep their places.
        units.sort_by_key(|it| it.model);
        let own = units.partition_point(|it| !it.model);
        let written = units.len();
        units.extend(modelled(&units));
        let names = index::index(&units);
        let mut program = Program {
            units,
            own,
            written,
            names,
            summaries: BTreeMap::new(),
            callables: BTreeMap::new(),
            reach: Reach::default(),
            texts: Vec::new(),
            sites: OnceLock::new(),
            own_streams: OnceLock::new(),
            set_from_outside: OnceLock::new(),
            set_by_callers: OnceLock::new(),
            repeated: OnceLock::new(),
            observed,
            asks_offers,
        };
        program.summaries = program.kernels();
        program.callables = program.device_callables();
        program.texts.resize_with(program.units.len(), Default::default);
        program.reach = reach::compute(&program);
        program
    }

    /// The units of the project, in link order; `FileId` is the index.
    pub fn units(&self) -> &[SourceUnit] {
        &self.units[..self.own]
    }

    /// Takes the units back, to link them again with more.
    pub fn into_units(mut self) -> Vec<SourceUnit> {
        self.units.truncate(self.own);
        self.units
    }

    /// Whether a file is a stand-in for a library.
    pub fn is_model(&self, file: FileId) -> bool {
        self.source(file).model
    }

    /// A unit.
    pub fn unit(&self, file: FileId) -> &SourceUnit {
        reads::note_file(file);
        self.source(file)
    }

    /// The same for what stays when places move: what no edit inside of a function changes, and texts between places inside of
    /// functions whose bodies are noted.
    pub fn source(&self, file: FileId) -> &SourceUnit {
        &self.units[file.0 as usize]
    }

    /// A function's facts.
    pub fn function(&self, id: FunctionId) -> &Function {
        reads::note_function(id);
        self.definition(id)
    }

    /// The same for what stands in front of its body.
    fn definition(&self, id: FunctionId) -> &Function {
        &self.source(id.file).facts.functions[id.index as usize]
    }

    /// A global variable.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.source(id.file).facts.globals[id.index as usize]
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.source(id.file).facts.classes[id.index as usize]
    }

    /// Whether executing this function can enqueue something that waits for somebody else.
    pub fn reaches_wait(&self, id: FunctionId) -> bool {
        reads::note_function(id);
        self.reach.waits.contains(&id)
    }

    /// Whether executing this function can make a CUDA call or touch a thread.
    pub fn is_eventful(&self, id: FunctionId) -> bool {
        reads::note_function(id);
        self.reach.eventful.contains(&id)
    }

    /// Whether it can do more than take locks and store: waits, and what gives the device work.
    pub fn is_demanding(&self, id: FunctionId) -> bool {
        reads::note_function(id);
        self.reach.demanding.contains(&id)
    }

    /// Whether it waits for no work of the device, whatever it leads to, and lets no stream wait for any.
    pub fn is_prompt(&self, id: FunctionId) -> bool {
        reads::note_function(id);
        self.reach.prompt.contains(&id)
    }

    /// Whether it leads to such a wait, and not just to something that nobody knows.
    pub fn is_blocking(&self, id: FunctionId) -> bool {
        reads::note_function(id);
        self.reach.blocking.contains(&id)
    }

    /// Functions that lead here from an entry point, as far as calls can be told by their names.
    pub fn callers(&self, id: FunctionId) -> &[FunctionId] {
        reads::note_function(id);
        self.reach.callers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// What a host function of this name is that can make CUDA calls: a method, if one of them is.
    pub fn eventful_role(&self, name: &str) -> Option<Role> {
        let named = self.names.functions.get(name)?.iter();
        let roles = named
            .filter(|it| self.is_eventful(**it))
            .map(|it| self.definition(*it).role);
        let mut roles = roles.filter(|it| matches!(it, Role::Function | Role::Method));
        let first = roles.next()?;
        Some(roles.find(|it| *it == Role::Method).unwrap_or(first))
    }

    /// Whether any kernel or call of the program waits: without one, nothing can hang on the device.
    pub fn may_wait(&self) -> bool {
        self.reach.any_wait
    }

    /// Functions where execution can start and that can reach a wait or other asynchronous work: `main`, tests, and
    /// what nobody calls.
    pub fn entry_points(&self) -> Vec<FunctionId> {
        let entries = self.reach.entries.iter().chain(&self.reach.asynchronous);
        entries.copied().collect()
    }

    /// Functions that are handed a stream and may do some of their work elsewhere, and that are no entry points.
    pub fn promises(&self) -> &[FunctionId] {
        &self.reach.promises
    }

    /// The stream in the object a function is handed, in words, where it enqueues work in the default stream instead.
    pub fn carried_stream(&self, function: FunctionId) -> Option<&str> {
        reads::note_function(function);
        self.reach.carried.get(&function).map(String::as_str)
    }

    /// Whether a file has part in a wait, or mentions what a wait could be made of in a region that is not active.
    pub fn may_hold_wait(&self, unit: usize) -> bool {
        let file = FileId(u32::try_from(unit).unwrap_or(u32::MAX));
        let first = FunctionId { file, index: 0 };
        let last = FunctionId {
            file,
            index: u32::MAX,
        };
        let signs: [&[u8]; 4] = [b"volatile", b"atomic", b"WaitValue", b"BatchMemOp"];
        self.reach.waits.range(first..=last).next().is_some()
            || signs
                .iter()
                .any(|sign| memchr::memmem::find(&self.units[unit].bytes, sign).is_some())
    }

    /// Whether a word stands in the text of a function.
    pub fn function_mentions(&self, function: FunctionId, word: &[u8]) -> bool {
        let span = self.function(function).span;
        let text = self
            .source(function.file)
            .bytes
            .get(span.start as usize..span.end as usize);
        text.is_some_and(|it| memchr::memmem::find(it, word).is_some())
    }

    /// Whether a macro's text mentions one of its parameters: what it does not mention is not evaluated.
    pub fn macro_uses(&self, id: FunctionId, parameter: &str) -> bool {
        let definition = self.function(id);
        let from = definition.name_span.end as usize;
        let text = self.source(id.file).bytes.get(from..definition.span.end as usize);
        let Some(text) = text else { return true };
        let is_word = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
        let stands = |at: &usize| {
            let before = at.checked_sub(1).and_then(|it| text.get(it));
            !is_word(before) && !is_word(text.get(at + parameter.len()))
        };
        let all = memchr::memmem::find_iter(text, parameter.as_bytes()).filter(stands);
        // The first one is where it is declared.
        all.count() != 1
    }

    /// Whether a stream is captured in a file, in whichever configuration.
    pub fn mentions_capture(&self, unit: usize) -> bool {
        memchr::memmem::find(&self.units[unit].bytes, b"StreamBeginCapture").is_some()
    }

    /// Functions that begin or end a capture.
    pub fn capturing_functions(&self) -> &BTreeSet<FunctionId> {
        &self.reach.capturing
    }

    /// How many entry points lead to a wait, and how many only to other asynchronous work.
    pub fn entry_counts(&self) -> (usize, usize) {
        (self.reach.entries.len(), self.reach.asynchronous.len())
    }

    /// All functions with their ids, in order.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.units.iter().enumerate().flat_map(|(file, unit)| {
            unit.facts
                .functions
                .iter()
                .enumerate()
                .map(move |(index, function)| {
                    (
                        FunctionId {
                            file: FileId(file as u32),
                            index: index as u32,
                        },
                        function,
                    )
                })
        })
    }

    /// Whether any kernel of this file can use the device heap, `printf` or `assert` (M4): who, and what it uses.
    pub fn heap_user(&self, file: FileId) -> Option<(FunctionId, &str)> {
        self.summaries
            .range(
                FunctionId { file, index: 0 }..=FunctionId {
                    file,
                    index: u32::MAX,
                },
            )
            .find_map(|(id, _)| self.heap_use(*id).map(|name| (*id, name)))
    }

    /// What of the device heap, `printf` and `assert` a kernel can use.
    pub fn heap_use(&self, kernel: FunctionId) -> Option<&str> {
        let uses = &self.kernel(kernel)?.heap_uses;
        let counts = |file: FileId, name: &str| name != "assert" || !self.source(file).facts.assertions_off;
        uses.iter()
            .find(|(file, _, name)| counts(*file, name))
            .map(|(_, _, name)| name.as_str())
    }

    /// Kernels with a definition, not looked at yet.
    fn kernels(&self) -> BTreeMap<FunctionId, Summaries> {
        let defined = |function: &Function| {
            function.target == Target::Kernel && function.defined && function.role != Role::Macro
        };
        self.functions()
            .filter(|(_, function)| defined(function))
            .map(|(id, _)| (id, Summaries::default()))
            .collect()
    }

    /// The `operator()` of classes whose objects a device can call.
    fn device_callables(&self) -> BTreeMap<FunctionId, Summaries> {
        let on_device = |it: &Function| matches!(it.target, Target::Device | Target::HostDevice);
        let is_call = |it: &Function| {
            it.defined && on_device(it) && it.path.last().is_some_and(|name| name == "operator()")
        };
        let found = self.functions().filter(|(_, it)| is_call(it));
        found.map(|(id, _)| (id, Summaries::default())).collect()
    }

    /// Kernels with an unbounded waiting loop, and those that may call one through a template parameter.
    fn waiting_kernels(&self) -> Vec<FunctionId> {
        use rayon::prelude::*;
        let suspects = self.names_of_waiting_loops();
        let objects_wait = suspects.contains("operator()");
        let is_suspect = |id: &&FunctionId| {
            let function = self.function(**id);
            let (loops, calls) = kernels::loops_and_calls(function);
            let own = |name: &&str| function.params.iter().any(|it| it.name == *name);
            loops
                || calls
                    .iter()
                    .any(|name| suspects.contains(name) || objects_wait && own(name))
        };
        let candidates: Vec<FunctionId> = self.summaries.keys().filter(is_suspect).copied().collect();
        let summaries = candidates
            .into_par_iter()
            .filter_map(|id| Some((id, self.kernel(id)?)));
        let summaries: Vec<(FunctionId, &KernelSummary)> = summaries
            .filter(|(_, it)| !it.waits.is_empty() || it.dependent)
            .collect();
        let name = |id: FunctionId| self.function(id).path.last().map(String::as_str);
        let dependent = summaries.iter().filter(|(_, it)| it.waits.is_empty());
        let instantiated = self.instantiated(&dependent.filter_map(|(id, _)| name(*id)).collect());
        let waits = |(id, it): &(FunctionId, &KernelSummary)| {
            !it.waits.is_empty() || name(*id).is_some_and(|it| instantiated.contains(it))
        };
        summaries
            .iter()
            .filter(|it| waits(it))
            .map(|(id, _)| *id)
            .collect()
    }

    /// Those of some kernel templates for which a class or function is written somewhere, or left to the arguments.
    /// What template libraries pass on from their own parameters says nothing.
    fn instantiated(&self, templates: &BTreeSet<&str>) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        if templates.is_empty() {
            return names;
        }
        for (id, _) in self.functions().filter(|(_, it)| it.defined) {
            names.extend(self.instantiated_in(id, &|it| templates.contains(it)));
        }
        names
    }

    /// The same for those that `matters` holds of, in one function.
    fn instantiated_in(&self, id: FunctionId, matters: &dyn Fn(&str) -> bool) -> BTreeSet<&str> {
        let function = self.definition(id);
        let mut names = BTreeSet::new();
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let concrete = |argument: &String| {
            let is_own = function.template_params.contains(argument);
            let name = kernels::written_name(argument).filter(|_| !is_own);
            name.is_some_and(|it| {
                self.resolve_class(scope, &it).is_some() || self.resolve_function(scope, &it, None).is_some()
            })
        };
        visit::function(function, &mut |node| {
            let visit::Node::Expr(expression) = node else {
                return;
            };
            let (kernel, deduced) = match &expression.kind {
                ExprKind::Launch(launch) => (&launch.kernel.kind, true),
                other => (other, false),
            };
            if let ExprKind::Name(kernel) = kernel
                && matters(kernel.last())
                && (deduced && kernel.template_args.is_empty() || kernel.template_args.iter().any(concrete))
            {
                names.insert(kernel.last());
            }
        });
        names
    }

    /// Kernels in which every block waits for every other one.
    fn barrier_kernels(&self) -> Vec<FunctionId> {
        use rayon::prelude::*;
        let loops = self.names_of_waiting_loops();
        let on_device = |function: &Function| function.defined && function.target != Target::Host;
        let grids: BTreeSet<&str> = self
            .functions()
            .filter(|(_, it)| on_device(it) && kernels::mentions_grid(it))
            .filter_map(|(_, it)| it.path.last().map(String::as_str))
            .collect();
        let is_suspect = |id: &&FunctionId| {
            let function = self.function(**id);
            let (waits, calls) = kernels::loops_and_calls(function);
            waits
                || kernels::mentions_grid(function)
                || calls
                    .iter()
                    .any(|name| loops.contains(name) || grids.contains(name))
        };
        let candidates: Vec<FunctionId> = self.summaries.keys().filter(is_suspect).copied().collect();
        let barriers = |id: &FunctionId| self.kernel(*id).is_some_and(|it| !it.barriers.is_empty());
        candidates.into_par_iter().filter(barriers).collect()
    }

    /// Names of device functions and macros that have a loop that could wait, or call one that has.
    fn names_of_waiting_loops(&self) -> BTreeSet<&str> {
        let on_device = |function: &Function| {
            function.defined
                && (matches!(function.target, Target::Device | Target::HostDevice)
                    || function.role == Role::Macro)
        };
        let functions = self.functions().filter(|(_, function)| on_device(function));
        let mut suspects = BTreeSet::new();
        let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut open = Vec::new();
        for (_, function) in functions {
            let Some(name) = function.path.last() else {
                continue;
            };
            let (loops, calls) = kernels::loops_and_calls(function);
            if loops || calls.contains(&name.as_str()) {
                open.push(name.as_str());
            }
            calls
                .into_iter()
                .for_each(|callee| callers.entry(callee).or_default().push(name));
        }
        // Two functions that call each other can be a loop too.
        let call_each_other = |name: &str| {
            let mine = callers.get(name).into_iter().flatten();
            mine.copied()
                .any(|caller| callers.get(caller).is_some_and(|theirs| theirs.contains(&name)))
        };
        open.extend(callers.keys().copied().filter(|name| call_each_other(name)));
        while let Some(name) = open.pop() {
            if suspects.insert(name) {
                open.extend(callers.get(name).into_iter().flatten());
            }
        }
        suspects
    }
}

impl Program {
    /// The user's words for a piece of source: white space collapsed, at most 60 characters.
    pub fn words(&self, file: FileId, span: crate::syntax::Span) -> String {
        let bytes = &self.source(file).bytes;
        let end = (span.end as usize).min(bytes.len());
        let start = (span.start as usize).min(end);
        // Four bytes are the longest character: what is cut off here would be cut off below.
        let text = &bytes[start..end.min(start + 400)];
        if text.len() <= 60 && is_one_line(text) {
            return text.iter().map(|it| char::from(*it)).collect();
        }
        let text = String::from_utf8_lossy(text);
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() > 60 {
            words = words.chars().take(57).chain("...".chars()).collect();
        }
        words
    }
}

/// Whether a text is made of words of plain characters, with a space between two of them.
fn is_one_line(text: &[u8]) -> bool {
    let ends_in_space = text.first() == Some(&b' ') || text.last() == Some(&b' ');
    let is_plain = |it: &u8| *it == b' ' || it.is_ascii_graphic();
    !ends_in_space && text.iter().all(is_plain) && !text.windows(2).any(|it| it == b"  ")
}

impl Program {
    /// Whether a process starts here.
    pub fn is_main(&self, id: FunctionId) -> bool {
        reach::is_main(self.definition(id))
    }

    /// Whether a file is the main file of a program: nobody else calls what it defines.
    pub fn is_main_file(&self, file: FileId) -> bool {
        let functions = self.source(file).facts.functions.iter();
        functions.into_iter().any(reach::is_main)
    }

    /// Whether a program or a test starts in a file.
    pub fn holds_program_start(&self, file: FileId) -> bool {
        let mut functions = self.source(file).facts.functions.iter();
        functions.any(starts)
    }

    /// Folders in which a program has its `main`.
    pub(crate) fn folders_of_mains(&self) -> BTreeSet<&str> {
        let files = (0..self.own).map(|it| FileId(it as u32));
        let mains = files.filter(|it| self.is_main_file(*it));
        mains.map(|it| self.source(it).folder()).collect()
    }

    /// Whether a file lies in the folder of a program's main file: what it defines is for that program.
    pub fn lies_beside_main(&self, file: FileId) -> bool {
        self.folders_of_mains().contains(self.source(file).folder())
    }

    /// Whether a process (or a test) starts here: nothing ran before.
    pub fn is_program_start(&self, id: FunctionId) -> bool {
        starts(self.definition(id))
    }

    /// Whether a function that is not among these mentions a kernel: it may launch or load it.
    pub fn is_mentioned_elsewhere(&self, kernel: FunctionId, executed: &BTreeSet<FunctionId>) -> bool {
        let Some(name) = self.definition(kernel).path.last() else {
            return false;
        };
        reads::note_name(name);
        let others = self.other_programs(executed);
        self.functions()
            .filter(|(id, function)| {
                function.defined && function.target != Target::Kernel && !executed.contains(id)
            })
            .any(|(id, function)| mentions(function, name) && !others.contains(&id.file))
    }

    /// Files that belong to other programs than what was executed: they have a `main` of their own, or lie beside one.
    fn other_programs(&self, executed: &BTreeSet<FunctionId>) -> BTreeSet<FileId> {
        let own: BTreeSet<FileId> = executed.iter().map(|it| it.file).collect();
        let linked: Vec<FileId> = own.iter().copied().filter(|it| !self.is_model(*it)).collect();
        let folders = &self.names.folders;
        let apart =
            |file: FileId| !linked.is_empty() && linked.iter().all(|it| folders.climbs(*it, file).is_none());
        let starts = |file: FileId| self.source(file).facts.functions.iter().any(reach::is_main);
        let files = (0..self.units.len()).map(|it| FileId(it as u32));
        files
            .filter(|it| !own.contains(it) && (starts(*it) || apart(*it)))
            .collect()
    }

    /// Whether host code that is not among these functions uses a name, as a variable or as a field. A file with a
    /// `main` of its own is another program.
    pub fn is_name_used_elsewhere(&self, name: &str, executed: &BTreeSet<FunctionId>) -> bool {
        reads::note_name(name);
        let runs_on_host = |it: &Function| !matches!(it.target, Target::Kernel | Target::Device);
        let others = self.other_programs(executed);
        self.functions()
            .filter(|(id, function)| function.defined && runs_on_host(function) && !executed.contains(id))
            .any(|(id, function)| mentions(function, name) && !others.contains(&id.file))
    }

    /// Whether every class with a field of this name declares it as an array.
    pub fn is_array_field(&self, field: &str) -> bool {
        self.names.array_fields.get(field).copied().unwrap_or_default()
    }

    /// Files in which something leads to a wait, or where execution can begin that leads to other asynchronous work, or that offer
    /// memory in the order of a stream, and those they include.
    pub fn files_followed(&self) -> BTreeSet<FileId> {
        let functions = self.reach.waits.iter().chain(&self.reach.asynchronous);
        let files: BTreeSet<FileId> = functions.map(|id| id.file).chain(self.lending_files()).collect();
        let included = |file: &FileId| self.names.visible[file.0 as usize].iter().copied();
        files.iter().flat_map(included).collect()
    }

    /// Names of functions that are called, or handed on, by what makes events, and are declared and not defined: files
    /// without CUDA may define them.
    pub fn names_missing(&self) -> BTreeSet<&str> {
        let mut missing = BTreeSet::new();
        for id in &self.reach.eventful {
            visit::function(self.function(*id), &mut |node| {
                let visit::Node::Expr(expression) = node else {
                    return;
                };
                // Called, or handed on to be called.
                let name = match &expression.kind {
                    ExprKind::Name(name) => name.last(),
                    ExprKind::Member { field, .. } => field,
                    _ => return,
                };
                let ids = self.names.functions.get(name).map_or(&[][..], Vec::as_slice);
                let open = |id: &FunctionId| {
                    let it = self.function(*id);
                    !it.defined && it.target != Target::Kernel
                };
                if ids.len() <= COMMON_NAME && !ids.is_empty() && ids.iter().all(open) {
                    missing.insert(name);
                }
            });
        }
        missing
    }

    /// Names of functions that what makes events calls with fewer arguments than they take, as far as their declarations were
    /// read: another one, in a file without CUDA, may say what the rest is.
    pub fn names_left_short(&self) -> BTreeSet<&str> {
        let mut short = BTreeSet::new();
        for id in &self.reach.eventful {
            visit::function(self.function(*id), &mut |node| {
                let visit::Node::Expr(expression) = node else {
                    return;
                };
                let ExprKind::Call(call) = &expression.kind else {
                    return;
                };
                let name = match &call.callee.kind {
                    ExprKind::Name(name) => name.last(),
                    ExprKind::Member { field, .. } => field,
                    _ => return,
                };
                let ids = self.names.functions.get(name).map_or(&[][..], Vec::as_slice);
                let given = call.args.len();
                let takes = |id: &FunctionId| {
                    let params = &self.function(*id).params;
                    let least = params.iter().take_while(|it| it.default.is_none() && !it.pack);
                    least.count() <= given
                };
                let is_short = |id: &FunctionId| {
                    let it = self.function(*id);
                    it.defined && it.target != Target::Kernel && given < it.params.len()
                };
                if ids.iter().any(is_short) && !ids.iter().any(takes) {
                    short.insert(name);
                }
            });
        }
        short
    }

    /// Names that a file without CUDA would mention to lead to a wait, or to asynchronous work nobody leads to so far:
    /// functions, and classes by their methods. Names that many things have say nothing.
    pub fn names_followed(&self) -> BTreeSet<&str> {
        let name = |id: &FunctionId| {
            let function = self.function(*id);
            let path = &function.path;
            match function.role {
                Role::Method | Role::Constructor | Role::Destructor => path.iter().rev().nth(1),
                _ => path.last(),
            }
        };
        let rare = |name: &&str| {
            self.names
                .functions
                .get(*name)
                .is_none_or(|ids| ids.len() <= COMMON_NAME)
        };
        // What no word of CUDA is beside launches nothing.
        let on_host = |id: &&FunctionId| self.function(**id).target != Target::Kernel;
        // Nobody else can name it.
        let shared = |id: &&FunctionId| !self.function(**id).internal;
        let uncalled = self.reach.asynchronous.iter().filter(shared);
        let names = self
            .reach
            .waits
            .iter()
            .chain(uncalled)
            .filter(on_host)
            .filter_map(name);
        names
            .map(String::as_str)
            .filter(|name| *name != "main")
            .filter(rare)
            .collect()
    }
}

/// The models that units ask for.
fn modelled(units: &[SourceUnit]) -> Vec<SourceUnit> {
    use rayon::prelude::*;
    let models = models::wanted(units.par_iter().map(|it| &*it.bytes));
    let unit = |model: models::Model| SourceUnit {
        path: format!("<models>/{}", model.path).into(),
        bytes: model.text.as_bytes().into(),
        facts: Arc::new(model.facts),
        model: true,
        ..SourceUnit::default()
    };
    models.into_iter().map(unit).collect()
}

/// Whether a function mentions a name or a field of that name.
fn mentions(function: &Function, name: &str) -> bool {
    let mut found = false;
    visit::function(function, &mut |node| {
        if let visit::Node::Expr(expression) = node {
            found |= match &expression.kind {
                ExprKind::Name(it) => it.last() == name,
                ExprKind::Member { field, .. } => field == name,
                _ => false,
            };
        }
    });
    found
}

/// A test, or the `main` of a program.
fn starts(function: &Function) -> bool {
    function.role == Role::Test || reach::is_main(function)
}
