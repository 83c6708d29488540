//! Functions that are handed a stream, and whose own text shows work that is not put into it, or that it may be captured.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::api::{self, Operation};
use crate::facts::ir::{Call, Expr, ExprKind, Function, Launch, Role, Target, Type, Variable};
use crate::facts::visit::{self, Node};

/// Handles of streams as CUDA and HIP call them.
const HANDLES: [&str; 3] = ["cudaStream_t", "CUstream", "hipStream_t"];

/// What a default stream is called.
const DEFAULTS: [&str; 7] = [
    "cudaStreamDefault",
    "cudaStreamLegacy",
    "cudaStreamPerThread",
    "CU_STREAM_DEFAULT",
    "CU_STREAM_LEGACY",
    "CU_STREAM_PER_THREAD",
    "hipStreamDefault",
];

/// How many calls may lie between a function and the work it does without a stream.
const MOST_CALLS: u32 = 3;

/// How deep aliases of aliases are followed.
const MOST_ALIASES: u32 = 4;

/// Whether a type of this name is the handle of a stream itself.
pub fn is_stream_handle(name: &str) -> bool {
    HANDLES.contains(&name)
}

/// A call of CUDA in the text of a function, with its arguments.
type Written<'a> = (&'a api::Call, &'a [Expr]);

/// A question about a launch, by its configuration, or about a call.
type Meant<'f> = dyn Fn(Option<&Launch>, Option<Written<'_>>) -> bool + 'f;

/// What the text of one function says of streams.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    waits_for_event: bool,
    asks_for_capture: bool,
    names_stream_of_work: bool,
    copies_result: bool,
    /// Something in it names no stream, or the default one.
    is_loose: bool,
    /// It names memory that is the same at every call.
    names_lasting: bool,
    /// Functions of which that may be so instead.
    callees: BTreeSet<FunctionId>,
    carried: super::carriers::Part,
}

/// Whether a variable of a type may lead to other memory: a pointer, or an object of some class.
fn leads_on(ty: &Type) -> bool {
    ty.pointers > 0 || super::kernels::type_size(ty.name.last()) == 0
}

impl Program {
    /// Whether a type is a stream: a handle, or a class that says how it becomes one.
    pub fn is_stream_type(&self, scope: Scope<'_>, ty: &Type) -> bool {
        ty.pointers == 0 && self.names_stream(scope, ty, MOST_ALIASES)
    }

    fn names_stream(&self, scope: Scope<'_>, ty: &Type, depth: u32) -> bool {
        if is_stream_handle(ty.name.last()) {
            return true;
        }
        if depth > 0
            && let Some(alias) = self.resolve_alias(scope, &ty.name)
        {
            return alias.pointers == 0 && self.names_stream(scope, &alias, depth - 1);
        }
        self.names.classes.contains_key(ty.name.last())
            && self.resolve_class(scope, &ty.name).is_some_and(|class| {
                let to_handle = |it: &FunctionId| {
                    let result = &self.function(*it).result;
                    result.pointers == 0 && is_stream_handle(result.name.last())
                };
                self.sole_stream(class).is_some() || self.conversions(class).iter().any(to_handle)
            })
    }

    /// The field of a class that is nothing but the handle of a stream: its only one.
    pub fn sole_stream(&self, class: ClassId) -> Option<&str> {
        let definition = self.class(class);
        let mut fields = definition.fields.iter().filter(|it| !it.is_static);
        match (fields.next(), fields.next()) {
            (Some(only), None) if definition.bases.is_empty() => {
                let is_handle =
                    only.ty.pointers == 0 && only.dims.is_empty() && is_stream_handle(only.ty.name.last());
                is_handle.then_some(only.name.as_str())
            }
            _ => None,
        }
    }

    /// Whether a function has a parameter that is a stream. One without a name is there for the signature alone.
    pub fn takes_stream(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let mut params = function.params.iter();
        params.any(|it| !it.name.is_empty() && self.is_stream_type(scope, &it.ty))
    }

    /// Whether any function of the project has such a parameter.
    pub(super) fn any_takes_stream(&self) -> bool {
        let mut units = self.own_units();
        units.any(|it| self.functions_of(it).any(|(id, _)| self.takes_stream(id)))
    }

    /// Fields of a class that are streams.
    pub fn stream_fields(&self, class: ClassId) -> Vec<&str> {
        let definition = self.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let fields = definition.fields.iter();
        let streams =
            fields.filter(|it| !it.is_static && it.dims.is_empty() && self.is_stream_type(scope, &it.ty));
        streams.map(|it| it.name.as_str()).collect()
    }

    /// Names of classes that have such fields.
    pub(super) fn streaming_classes(&self) -> BTreeSet<&str> {
        let unit = |unit: usize| {
            let classes = self.units[unit].facts.classes.iter().enumerate();
            classes.filter_map(move |(index, class)| {
                let id = ClassId {
                    file: FileId(unit as u32),
                    index: index as u32,
                };
                (!self.stream_fields(id).is_empty()).then_some(class.path.last()?.as_str())
            })
        };
        let units: Vec<usize> = (0..self.written).collect();
        let found: Vec<&str> = units.par_iter().flat_map_iter(|it| unit(*it)).collect();
        found.into_iter().collect()
    }

    /// Whether a function is a method of a class that has a stream.
    fn has_stream(&self, id: FunctionId, classes: &BTreeSet<&str>) -> bool {
        let function = self.function(id);
        let Some((_, owner)) = function.path.split_last() else {
            return false;
        };
        function.role == Role::Method
            && !self.is_static(id)
            && owner.last().is_some_and(|it| classes.contains(it.as_str()))
    }

    /// Host functions with a stream among their parameters, or in their class, in whose text some work stands that is not put into one.
    pub(super) fn doubtful_promises(&self) -> (Vec<FunctionId>, BTreeMap<FunctionId, String>) {
        let units: Vec<usize> = (0..self.written).collect();
        let on_host = |it: &Function| {
            it.defined
                && matches!(it.target, Target::Host | Target::HostDevice)
                && !matches!(it.role, Role::Macro | Role::Test | Role::Destructor)
        };
        let of_unit = |unit: &usize| -> Vec<FunctionId> {
            let host = self.functions_of(*unit).filter(|(_, it)| on_host(it));
            host.map(|it| it.0).collect()
        };
        let all: Vec<FunctionId> = units.par_iter().flat_map_iter(of_unit).collect();
        let classes = self.streaming_classes();
        let takes = all
            .par_iter()
            .map(|it| self.takes_stream(*it) || self.has_stream(*it, &classes));
        let takes: Vec<bool> = takes.collect();
        let pairs: Vec<(FunctionId, bool)> = all.iter().copied().zip(takes).collect();
        let others: Vec<FunctionId> = pairs
            .iter()
            .filter(|(_, takes)| !takes)
            .map(|(id, _)| *id)
            .collect();
        let mut streamless = BTreeSet::new();
        for _ in 0..MOST_CALLS {
            let fresh = others.par_iter().filter(|it| !streamless.contains(*it));
            let found: Vec<FunctionId> = fresh
                .filter(|it| self.has_loose_work(**it, &streamless))
                .copied()
                .collect();
            if found.is_empty() {
                break;
            }
            streamless.extend(found);
        }
        let lasting = self.users_of_lasting(&all);
        let (waiting, waits) = self.stream_waiters(&pairs);
        let doubtful = |(id, takes): &&(FunctionId, bool)| {
            if waiting.contains(id) || self.waits_through(*id, &waits) || self.asks_for_capture(*id) {
                return true;
            }
            if *takes && (lasting.contains(id) || !self.called_by_name(*id).is_disjoint(&lasting)) {
                return true;
            }
            let in_stream = || *takes || self.names_stream_of_work(*id);
            *takes && self.copies_result(*id) || in_stream() && self.has_loose_work(*id, &streamless)
        };
        let mut found: Vec<FunctionId> = pairs.par_iter().filter(doubtful).map(|(id, _)| *id).collect();
        let carried = self.careless_of_carried(&all);
        found.extend(carried.keys());
        found.sort_unstable();
        found.dedup();
        (found, carried)
    }

    /// Functions that name memory, or a pointer to some, that is the same at every call: a static local, or a global variable.
    fn users_of_lasting(&self, all: &[FunctionId]) -> BTreeSet<FunctionId> {
        let names = |id: &&FunctionId| self.names_lasting(**id);
        all.par_iter().filter(names).copied().collect()
    }

    fn names_lasting(&self, id: FunctionId) -> bool {
        let function = self.definition(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let lasts = |it: &Variable| !it.per_thread && (it.space.is_some() || leads_on(&it.ty));
        let mut found = false;
        visit::function(function, &mut |node| {
            found = found
                || match node {
                    Node::Variable(variable) => variable.is_static && lasts(variable),
                    Node::Expr(Expr {
                        kind: ExprKind::Name(name),
                        ..
                    }) => {
                        self.names.globals.contains_key(name.last())
                            && self
                                .resolve_global(scope, name)
                                .is_some_and(|it| lasts(&self.global(it).variable))
                    }
                    _ => false,
                };
        });
        found
    }

    /// Functions in whose text a stream waits for an event, and what those among them are called and take that are handed
    /// both.
    fn stream_waiters(&self, all: &[(FunctionId, bool)]) -> (BTreeSet<FunctionId>, BTreeSet<(&str, usize)>) {
        let ids = all.par_iter().map(|(id, _)| *id);
        let found: BTreeSet<FunctionId> = ids.filter(|it| self.makes_stream_wait(*it)).collect();
        let called = |id: &FunctionId| {
            let function = self.function(*id);
            Some((function.path.last()?.as_str(), function.params.len()))
        };
        let named = found.iter().filter_map(called).filter(|it| it.1 > 0).collect();
        (found, named)
    }

    /// Whether a stream waits for an event in the text of a function.
    fn makes_stream_wait(&self, id: FunctionId) -> bool {
        self.calls_in_text(id, &|_, call| {
            call.is_some_and(|(entry, _)| entry.operation == Operation::StreamWaitEvent)
        })
    }

    /// Whether a function asks in its text whether a stream is captured: its callers may capture.
    pub fn asks_for_capture(&self, id: FunctionId) -> bool {
        self.calls_in_text(id, &|_, call| {
            call.is_some_and(|(entry, _)| entry.operation == Operation::CaptureQuery)
        })
    }

    /// The functions that the text of a function calls by their names.
    fn called_by_name(&self, id: FunctionId) -> BTreeSet<FunctionId> {
        let (mut callees, function) = (BTreeSet::new(), self.definition(id));
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
                && let ExprKind::Name(name) = &call.callee.kind
                && self.names.functions.contains_key(name.last())
            {
                callees.extend(self.resolve_function(scope, name, Some(call.args.len())));
            }
        });
        callees
    }

    /// What counts of a function where promises are looked for.
    pub(super) fn stream_part(&self, id: FunctionId) -> Part {
        Part {
            waits_for_event: self.makes_stream_wait(id),
            asks_for_capture: self.asks_for_capture(id),
            names_stream_of_work: self.names_stream_of_work(id),
            copies_result: self.copies_result(id),
            is_loose: self.has_loose_work(id, &BTreeSet::new()),
            names_lasting: self.names_lasting(id),
            callees: self.called_by_name(id),
            carried: self.carried_part(id),
        }
    }

    /// Whether a function calls one of these in its text.
    fn waits_through(&self, id: FunctionId, waits: &BTreeSet<(&str, usize)>) -> bool {
        let mut found = false;
        visit::statements(&self.function(id).body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
            {
                found |= match &call.callee.kind {
                    ExprKind::Name(name) => waits.contains(&(name.last(), call.args.len())),
                    ExprKind::Member { field, .. } => waits.contains(&(field.as_str(), call.args.len())),
                    _ => false,
                };
            }
        });
        found
    }

    /// Whether a launch or call in the text of a function names a stream that is not the default one.
    fn names_stream_of_work(&self, id: FunctionId) -> bool {
        self.enqueues_in(id, &|stream| !self.may_be_default(stream))
    }

    /// Whether a launch or asynchronous call in the text of a function names a stream that is as asked for.
    pub(super) fn enqueues_in(&self, id: FunctionId, is_meant: &dyn Fn(&Expr) -> bool) -> bool {
        let scope = self.scope_of_function(id);
        self.calls_in_text(id, &|launch, call| {
            let stream = match (launch, call) {
                (Some(launch), _) => self.launch_stream(scope, launch),
                (_, Some((entry, args))) if entry.is_enqueue() => {
                    let stream = entry.argument(api::Role::Stream, args.len());
                    stream.and_then(|it| args.get(it))
                }
                _ => None,
            };
            stream.is_some_and(is_meant)
        })
    }

    /// Whether a function returns something, and a copy that need not be over when it is called stands in its text.
    fn copies_result(&self, id: FunctionId) -> bool {
        let result = &self.function(id).result;
        let returns = result.pointers == 0 && result.name.last() != "void";
        returns
            && self.calls_in_text(id, &|_, call| {
                call.is_some_and(|(entry, args)| {
                    entry.operation == Operation::Copy
                        && entry.argument(api::Role::Stream, args.len()).is_some()
                })
            })
    }

    /// Whether a wait of the host for a stream, an event or the device stands in the text of a function.
    pub fn waits_in_text(&self, id: FunctionId) -> bool {
        let waits = api::library::waits_for_work;
        let mut found = false;
        visit::statements(&self.function(id).body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
            {
                found |= match &call.callee.kind {
                    ExprKind::Name(name) => api::lookup_path(&name.path).is_some_and(|it| {
                        use Operation as O;
                        matches!(
                            it.operation,
                            O::StreamSynchronize | O::EventSynchronize | O::DeviceSynchronize
                        )
                    }),
                    ExprKind::Member { field, .. } => waits(field),
                    _ => false,
                };
            }
        });
        found
    }

    /// Whether a launch, by its configuration, or a call of CUDA in the text of a function is as asked for.
    pub(super) fn calls_in_text(&self, id: FunctionId, is_meant: &Meant<'_>) -> bool {
        let mut found = false;
        visit::statements(&self.function(id).body, &mut |node| {
            let Node::Expr(expression) = node else { return };
            found |= match &expression.kind {
                ExprKind::Launch(launch) => is_meant(Some(launch), None),
                ExprKind::Call(call) => match &call.callee.kind {
                    ExprKind::Name(name) => {
                        let entry = api::lookup_path(&name.path);
                        entry.is_some_and(|it| is_meant(None, Some((it, &call.args))))
                    }
                    _ => false,
                },
                _ => false,
            };
        });
        found
    }

    /// Whether a launch or call in the text of a function names no stream, or the default one.
    fn has_loose_work(&self, id: FunctionId, streamless: &BTreeSet<FunctionId>) -> bool {
        let function = self.function(id);
        let scope = self.scope_of_function(id);
        let mut found = false;
        visit::statements(&function.body, &mut |node| {
            if found {
                return;
            }
            if let Node::Expr(expression) = node {
                found = match &expression.kind {
                    ExprKind::Launch(launch) => {
                        let stream = self.launch_stream(scope, launch);
                        stream.is_none_or(|it| self.may_be_default(it))
                    }
                    ExprKind::Call(call) => self.is_loose(scope, call, streamless),
                    _ => false,
                };
            }
        });
        found
    }

    fn is_loose(&self, scope: Scope<'_>, call: &Call, streamless: &BTreeSet<FunctionId>) -> bool {
        let ExprKind::Name(name) = &call.callee.kind else {
            return false;
        };
        if let Some(entry) = api::lookup_path(&name.path) {
            if !entry.is_enqueue() {
                return false;
            }
            let written = entry
                .argument(api::Role::Stream, call.args.len())
                .and_then(|it| call.args.get(it));
            return match written {
                Some(stream) => self.may_be_default(stream),
                None => {
                    entry.default_argument_is_stream_zero(call.args.len())
                        || entry.has_no_stream_argument()
                        || entry.operation == Operation::ThrustAlgorithm
                }
            };
        }
        if !self.names.functions.contains_key(name.last()) {
            return false;
        }
        let Some(callee) = self.resolve_function(scope, name, Some(call.args.len())) else {
            return false;
        };
        streamless.contains(&callee) || self.leaves_out_stream(callee, &call.args)
    }

    /// Whether a function says nothing of the stream it takes, and calls one that takes a stream with something that is handed
    /// in by nobody.
    pub fn ignores_stream(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let mut streams = function
            .params
            .iter()
            .filter(|it| self.is_stream_type(scope, &it.ty))
            .peekable();
        if streams.peek().is_none()
            || streams.any(|it| it.name.is_empty() || self.mentions_name(id, &it.name))
        {
            return false;
        }
        let mut found = false;
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
                && let ExprKind::Name(name) = &call.callee.kind
                && self.names.functions.contains_key(name.last())
            {
                let callee = self.resolve_function(scope, name, Some(call.args.len()));
                found |= callee.is_some_and(|it| self.leaves_out_stream(it, &call.args));
            }
        });
        found
    }

    /// A call leaves a stream to its default, or passes what may be one.
    fn leaves_out_stream(&self, callee: FunctionId, args: &[Expr]) -> bool {
        let function = self.function(callee);
        let scope = Scope {
            file: callee.file,
            path: &function.path,
        };
        let left_out = |index: usize| args.get(index).is_none_or(|it| self.may_be_default(it));
        let mut params = function.params.iter().enumerate();
        params.any(|(index, it)| !it.pack && left_out(index) && self.is_stream_type(scope, &it.ty))
    }

    /// Whether the name of a function says that what it begins may not be over when it returns: `to_host_async`, `copyAsync`.
    pub fn says_asynchronous(&self, function: FunctionId) -> bool {
        let name = self.function(function).path.last();
        name.is_some_and(|it| words(it).any(|word| word.eq_ignore_ascii_case("async")))
    }

    /// Whether a function hands one of its parameters to a launch or a call, or calls a method of it.
    pub fn passes_on(&self, function: FunctionId, parameter: &str) -> bool {
        let is_it = |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if name.is_plain() && name.last() == parameter);
        let mut found = false;
        visit::function(self.function(function), &mut |node| {
            let Node::Expr(expression) = node else { return };
            found |= match &expression.kind {
                ExprKind::Call(call) => call.args.iter().any(is_it),
                ExprKind::Launch(launch) => launch.config.iter().chain(&launch.args).any(is_it),
                ExprKind::Construct { init, .. } => init.expressions().any(is_it),
                ExprKind::InitList(items) => items.iter().any(|it| is_it(&it.value)),
                ExprKind::Member { object, .. } => is_it(object),
                _ => false,
            };
        });
        found
    }

    /// A literal, a constant, or what a function without arguments returns: none of them is a parameter.
    pub(super) fn may_be_default(&self, stream: &Expr) -> bool {
        match &stream.kind {
            ExprKind::Int(_) | ExprKind::Null => true,
            ExprKind::Name(name) => {
                DEFAULTS.contains(&name.last()) || self.names.globals.contains_key(name.last())
            }
            ExprKind::Cast { operand, .. } => self.may_be_default(operand),
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Name(_) => call.args.is_empty(),
                // `default_stream().value()`.
                ExprKind::Member { object, .. } => call.args.is_empty() && self.may_be_default(object),
                _ => false,
            },
            ExprKind::Construct { init, .. } => {
                init.expressions().next().is_none_or(|it| self.may_be_default(it))
            }
            _ => false,
        }
    }
}

/// The words a name is made of: `copy_async`, `copyAsync`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split('_');
    parts.flat_map(|part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            let begins = |(at, it): &(usize, char)| *at > 0 && it.is_ascii_uppercase();
            let end = rest.char_indices().find(begins).map_or(rest.len(), |(at, _)| at);
            let (word, behind) = rest.split_at(end);
            rest = behind;
            (!word.is_empty()).then_some(word)
        })
    })
}
