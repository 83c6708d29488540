//! Who can reach whom: which functions can make CUDA calls, which can start a wait, and where execution can begin.

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Arc;

use rayon::prelude::*;

use super::blocking;
use super::events::{self, Vocabulary, Weight};
use super::receivers::Receivers;
use super::{ClassId, FileId, FunctionId, Program, Scope, kernels};
use crate::api::{self, Operation, library};
use crate::facts::ir::{Expr, ExprKind, Function, Name, Role, Target, Type, Variable};
use crate::facts::visit::{self, Node};
use crate::facts::written::last_of_type;
use crate::syntax::FastMap;

/// The answers.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) waits: BTreeSet<FunctionId>,
    pub(super) eventful: BTreeSet<FunctionId>,
    /// Those of them that do more than take locks and store.
    pub(super) demanding: BTreeSet<FunctionId>,
    /// Functions that wait for no work of the device, whatever they lead to, and let no stream wait for any.
    pub(super) prompt: BTreeSet<FunctionId>,
    /// Functions that lead to such a wait by what is known of names and types, and not just to something that nobody knows.
    pub(super) blocking: BTreeSet<FunctionId>,
    /// What calls lead to from where execution can begin, with those who call it.
    pub(super) callers: BTreeMap<FunctionId, Vec<FunctionId>>,
    /// Where execution can begin that leads to a wait.
    pub(super) entries: Vec<FunctionId>,
    /// Where execution can begin that leads to other asynchronous work, and to no wait.
    pub(super) asynchronous: Vec<FunctionId>,
    /// Functions that are handed a stream and may do some of their work elsewhere, and where execution does not begin anyway.
    pub(super) promises: Vec<FunctionId>,
    /// Functions that are handed an object with a stream and enqueue work in the default one, with that stream in words.
    pub(super) carried: BTreeMap<FunctionId, String>,
    pub(super) any_wait: bool,
    /// Functions that begin or end a capture.
    pub(super) capturing: BTreeSet<FunctionId>,
}

/// What a function leads to, and does itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    functions: Vec<FunctionId>,
    /// Methods of objects whose class nobody knows.
    untyped: Vec<String>,
    /// Methods of objects whose class is known.
    typed: Vec<FunctionId>,
    /// Other overloads of functions that are named: which one is meant the names do not say.
    overloads: Vec<FunctionId>,
    event: Option<Weight>,
    wait: bool,
    /// It waits for work of the device, or lets a stream wait for some.
    blocks: bool,
    /// It may do so in a call that leads to no function of the project, and that nobody knows.
    may_block: bool,
}

impl Mentions {
    /// What is called by what is known of names and types.
    fn known(&self) -> impl Iterator<Item = FunctionId> + Clone {
        self.functions.iter().chain(&self.typed).copied()
    }

    /// What may be, by the name of a method alone.
    fn by_name<'m>(&'m self, methods: &'m Methods) -> impl Iterator<Item = FunctionId> + 'm {
        let named = self.untyped.iter().filter_map(|it| methods.get(it));
        named.flatten().copied()
    }

    fn note(&mut self, event: Option<Weight>) {
        self.event = self.event.max(event);
    }
}

pub(super) fn compute(program: &Program) -> Reach {
    let waiting_kernels = program.waiting_kernels();
    let calls_wait = program.units.iter().any(|unit| {
        WAIT_CALLS
            .iter()
            .any(|it| memchr::memmem::find(&unit.bytes, it.as_bytes()).is_some())
    });
    let mut asynchronous = super::worth::functions(program);
    asynchronous.extend(program.barrier_kernels());
    asynchronous.extend(program.observers());
    let (mut promises, carried) = program.doubtful_promises();
    let is_idle = waiting_kernels.is_empty() && !calls_wait && asynchronous.is_empty() && promises.is_empty();
    // Whoever hands out streams decides what runs beside what.
    if is_idle && !program.any_takes_stream() {
        return Reach::default();
    }
    let mut graph = Graph {
        program,
        index: index_mentions(program),
        known: BTreeMap::new(),
        owners: index_owners(program),
        special: SpecialMembers::default(),
    };
    let direct = graph.direct_waiters();
    let any_wait = !waiting_kernels.is_empty() || !direct.is_empty();
    let callers = graph.close_over_callers(waiting_kernels.into_iter().chain(direct));
    let waits: BTreeSet<FunctionId> = callers.keys().copied().collect();
    let entries = entry_points(program, &callers);
    let callers = graph.close_over_callers(asynchronous.into_iter());
    let mut asynchronous = entry_points(program, &callers);
    asynchronous.retain(|it| !entries.contains(it));
    let capturing: BTreeSet<FunctionId> = super::worth::capturing(program);
    promises.retain(|it| !entries.contains(it) && !asynchronous.contains(it));
    let mut roots = [entries.as_slice(), &asynchronous].concat();
    // What no entry point is seen to lead to, functions in tables, say.
    roots.extend(capturing.iter().copied());
    roots.extend(program.cuda_sites().iter().map(|it| it.function));
    roots.extend(promises.iter().copied());
    // What is offered, to whoever has a stream.
    roots.extend(program.own_functions().filter(|it| match program.asks_offers {
        true => program.works_for_stream(*it),
        false => program.takes_stream(*it),
    }));
    let methods = methods_by_name(program);
    let Eventful {
        all: eventful,
        demanding,
        seen,
        callers,
    } = graph.eventful(&roots, &methods);
    let (prompt, blocking) = graph.waiting(seen, &methods);
    Reach {
        waits,
        eventful,
        demanding,
        prompt,
        blocking,
        callers,
        entries,
        asynchronous,
        promises,
        carried,
        any_wait,
        capturing,
    }
}

/// Parts of the names of calls that make a stream wait for a value.
const WAIT_CALLS: [&str; 2] = ["WaitValue", "BatchMemOp"];

/// Who mentions whom, worked out only where somebody asks.
struct Graph<'p> {
    program: &'p Program,
    /// Names of functions, classes and waiting calls, to the functions that mention them.
    index: BTreeMap<&'p str, Vec<FunctionId>>,
    known: BTreeMap<FunctionId, Mentions>,
    /// Names of classes, to the classes that hold or extend one of that name.
    owners: BTreeMap<&'p str, BTreeSet<&'p str>>,
    special: SpecialMembers,
}

/// Who calls each function.
type Callers = BTreeMap<FunctionId, Vec<FunctionId>>;

/// Methods that are defined, by their names.
type Methods = BTreeMap<String, Vec<FunctionId>>;

/// Among everything execution can reach.
struct Eventful {
    /// What can make an event.
    all: BTreeSet<FunctionId>,
    /// What does more than take locks and store.
    demanding: BTreeSet<FunctionId>,
    /// Everything that is no kernel.
    seen: BTreeSet<FunctionId>,
    callers: Callers,
}

/// For each class, the constructors and destructors that run with it and with its fields, by how deep they are nested.
type SpecialMembers = FastMap<(ClassId, u32), Arc<[FunctionId]>>;

fn index_owners(program: &Program) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for owner in program.units.iter().flat_map(|unit| &unit.facts.classes) {
        let Some(name) = owner.path.last() else {
            continue;
        };
        let held = owner.fields.iter().map(|it| it.ty.name.last());
        for held in held.chain(owner.bases.iter().map(Name::last)) {
            owners.entry(held).or_default().insert(name);
        }
    }
    owners
}

fn index_mentions(program: &Program) -> BTreeMap<&str, Vec<FunctionId>> {
    let matters = |name: &str| matters(program, name);
    let through = names_in_globals(program, &matters);
    let host =
        |(_, function): &(FunctionId, &Function)| function.defined && function.target != Target::Kernel;
    let functions: Vec<_> = program.functions().filter(host).collect();
    let parts: Vec<(FunctionId, BTreeSet<&str>)> = functions
        .into_par_iter()
        .map(|(id, function)| (id, mentioned_names(function, &matters, &through)))
        .collect();
    let mut index: BTreeMap<&str, Vec<FunctionId>> = BTreeMap::new();
    for (id, names) in parts {
        for name in names {
            index.entry(name).or_default().push(id);
        }
    }
    index
}

/// Whether a name can be that of something in a program that leads elsewhere.
fn matters(program: &Program, name: &str) -> bool {
    program.names.functions.contains_key(name)
        || program.names.classes.contains_key(name)
        || program.names.aliases.contains_key(name)
        || WAIT_CALLS.iter().any(|it| name.contains(it))
}

/// Such names in one function, and those of globals.
pub(super) fn names_alone(program: &Program, function: &Function) -> BTreeSet<String> {
    let matters = |name: &str| matters(program, name) || program.names.globals.contains_key(name);
    let names = mentioned_names(function, &matters, &BTreeMap::new());
    names.into_iter().map(str::to_owned).collect()
}

/// What one function mentions.
pub(super) fn mentions_alone(program: &Program, id: FunctionId) -> Mentions {
    mentions_of(program, id, &mut SpecialMembers::default())
}

/// What the initialisers of globals mention: tables of kernels, say.
fn names_in_globals<'p>(
    program: &'p Program,
    matters: &dyn Fn(&str) -> bool,
) -> BTreeMap<&'p str, BTreeSet<&'p str>> {
    let mut through: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for global in program.units.iter().flat_map(|unit| &unit.facts.globals) {
        visit::variable(&global.variable, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) = node
                && matters(name.last())
            {
                through
                    .entry(&global.variable.name)
                    .or_default()
                    .insert(name.last());
            }
        });
    }
    through
}

fn mentioned_names<'p>(
    function: &'p Function,
    matters: &(dyn Fn(&str) -> bool + Sync),
    through: &BTreeMap<&'p str, BTreeSet<&'p str>>,
) -> BTreeSet<&'p str> {
    let mut names = BTreeSet::new();
    let mut note = |name: &'p str| {
        if matters(name) {
            names.insert(name);
        }
        names.extend(through.get(name).into_iter().flatten());
    };
    visit::function(function, &mut |node| match node {
        Node::Expr(expression) => match &expression.kind {
            ExprKind::Name(name) => {
                note(name.last());
                name.template_args.iter().for_each(|it| note(last_of_type(it)));
            }
            ExprKind::Member { field, .. } => note(field),
            _ => {}
        },
        Node::Variable(Variable { ty, .. }) | Node::Type(ty) => {
            note(ty.name.last());
            ty.name.template_args.iter().for_each(|it| note(last_of_type(it)));
        }
        Node::Statement(_) => {}
    });
    names
}

impl<'p> Graph<'p> {
    fn mentions(&mut self, id: FunctionId) -> &Mentions {
        let program = self.program;
        self.known
            .entry(id)
            .or_insert_with(|| mentions_of(program, id, &mut self.special))
    }

    /// Functions that call a stream wait themselves.
    fn direct_waiters(&mut self) -> Vec<FunctionId> {
        let named = self
            .index
            .iter()
            .filter(|(name, _)| WAIT_CALLS.iter().any(|it| name.contains(it)));
        let candidates: BTreeSet<FunctionId> = named.flat_map(|(_, ids)| ids.iter().copied()).collect();
        candidates
            .into_iter()
            .filter(|id| self.mentions(*id).wait)
            .collect()
    }

    /// Everything that leads to the seeds, each with its callers.
    fn close_over_callers(
        &mut self,
        seeds: impl Iterator<Item = FunctionId>,
    ) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
        let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut open: Vec<FunctionId> = seeds.collect();
        while let Some(id) = open.pop() {
            if callers.contains_key(&id) {
                continue;
            }
            let found = self.callers_of(id);
            open.extend(found.iter().copied());
            callers.insert(id, found);
        }
        callers
    }

    fn callers_of(&mut self, id: FunctionId) -> BTreeSet<FunctionId> {
        let function = self.program.function(id);
        let Some(name) = function.path.last() else {
            return BTreeSet::new();
        };
        let name = name.trim_start_matches('~');
        let mut names: BTreeSet<&str> = BTreeSet::from([name]);
        if matches!(function.role, Role::Constructor | Role::Destructor) {
            self.owners_of(name, &mut names);
        }
        let candidates: BTreeSet<FunctionId> = names
            .iter()
            .filter_map(|it| self.index.get(it))
            .flatten()
            .copied()
            .filter(|it| *it != id)
            .collect();
        let method = function.role == Role::Method;
        candidates
            .into_iter()
            .filter(|candidate| {
                let mentions = self.mentions(*candidate);
                mentions.functions.binary_search(&id).is_ok()
                    || mentions.typed.binary_search(&id).is_ok()
                    || method && mentions.untyped.iter().any(|it| it == name)
            })
            .collect()
    }

    /// Classes that hold a class by value, whose users therefore construct and destroy it too.
    fn owners_of(&self, class: &'p str, names: &mut BTreeSet<&'p str>) {
        let mut open = vec![class];
        while let Some(held) = open.pop() {
            let owners = self.owners.get(held).into_iter().flatten();
            open.extend(owners.filter(|name| names.insert(name)));
        }
    }

    /// What can make an event, among everything execution can reach from the entries; and who calls whom among that.
    fn eventful(&mut self, entries: &[FunctionId], methods: &Methods) -> Eventful {
        let mut callers = Callers::new();
        let mut seen: BTreeSet<FunctionId> = entries.iter().copied().collect();
        let mut open: Vec<FunctionId> = entries.to_vec();
        let (mut light, mut heavy) = (Vec::new(), Vec::new());
        while let Some(id) = open.pop() {
            // Somebody else may have it from there on.
            let takes_back = self.program.takes_back(id).is_some();
            let mentions = self.mentions(id);
            match mentions.event {
                Some(Weight::Heavy) => heavy.push(id),
                _ if mentions.wait => heavy.push(id),
                Some(Weight::Light) => light.push(id),
                None if takes_back => light.push(id),
                None => {}
            }
            let callees: Vec<FunctionId> = mentions.known().chain(mentions.by_name(methods)).collect();
            for callee in callees {
                callers.entry(callee).or_default().push(id);
                if self.program.function(callee).target == Target::Kernel {
                    continue;
                }
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        let demanding = close_over(&callers, BTreeSet::new(), heavy);
        Eventful {
            all: close_over(&callers, demanding.clone(), light),
            demanding,
            seen,
            callers,
        }
    }

    /// Among some functions, those that never wait for work of the device, whatever they may lead to; and those that lead to such a wait
    /// by what is known of names and types.
    fn waiting(
        &mut self,
        functions: BTreeSet<FunctionId>,
        methods: &Methods,
    ) -> (BTreeSet<FunctionId>, BTreeSet<FunctionId>) {
        let (mut callers, mut known_callers) = (Callers::new(), Callers::new());
        let (mut blocking, mut doubtful) = (Vec::new(), Vec::new());
        let mut seen = functions.clone();
        let mut open: Vec<FunctionId> = functions.iter().copied().collect();
        while let Some(id) = open.pop() {
            let mentions = self.mentions(id);
            if mentions.blocks {
                blocking.push(id);
            }
            if mentions.blocks || mentions.may_block {
                doubtful.push(id);
            }
            let known = mentions.known().chain(mentions.overloads.iter().copied());
            for callee in known.clone() {
                known_callers.entry(callee).or_default().push(id);
            }
            for callee in known.chain(mentions.by_name(methods)).collect::<Vec<_>>() {
                callers.entry(callee).or_default().push(id);
                if self.program.function(callee).target != Target::Kernel && seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        let doubtful = close_over(&callers, BTreeSet::new(), doubtful);
        let prompt = functions.difference(&doubtful).copied().collect();
        (prompt, close_over(&known_callers, BTreeSet::new(), blocking))
    }
}

/// Everything that leads to some functions, what was found before included.
fn close_over(
    callers: &Callers,
    mut found: BTreeSet<FunctionId>,
    mut open: Vec<FunctionId>,
) -> BTreeSet<FunctionId> {
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(callers.get(&id).into_iter().flatten().copied());
        }
    }
    found
}

fn methods_by_name(program: &Program) -> Methods {
    let mut methods = Methods::new();
    for (id, function) in program.functions() {
        if function.defined
            && function.role == Role::Method
            && let Some(name) = function.path.last()
        {
            methods.entry(name.clone()).or_default().push(id);
        }
    }
    methods
}

impl Program {
    /// Where a function calls what does more than take locks and store, as far as names tell, in order.
    pub fn demanding_calls(&self, function: FunctionId) -> Vec<u32> {
        let mut starts = Vec::new();
        visit::function(self.function(function), &mut |node| {
            let Node::Expr(expression) = node else { return };
            let ExprKind::Call(call) = &expression.kind else {
                return;
            };
            let name = match &call.callee.kind {
                ExprKind::Name(name) => name.last(),
                ExprKind::Member { field, .. } => field,
                _ => return,
            };
            let mut named = self.names.functions.get(name).into_iter().flatten();
            if named.any(|it| self.is_demanding(*it)) {
                starts.push(expression.span.start);
            }
        });
        starts.sort_unstable();
        starts
    }

    /// Whether a function calls functions of the project in one place at most; macros only say where they stand.
    pub fn calls_in_one_place(&self, function: FunctionId) -> bool {
        let definition = self.function(function);
        if definition.role == Role::Macro {
            return true;
        }
        let is_own = |name: &str| {
            let named = self.names.functions.get(name).into_iter().flatten();
            let mut defined = named.map(|it| self.function(*it)).filter(|it| it.defined);
            defined.any(|it| it.role != Role::Macro && it.target != Target::Kernel)
        };
        let mut calls = 0;
        visit::function(definition, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
            {
                calls += match &call.callee.kind {
                    ExprKind::Name(name) => u32::from(is_own(name.last())),
                    ExprKind::Member { field, .. } => u32::from(is_own(field)),
                    _ => 1,
                };
            }
        });
        calls <= 1
    }
}

/// `main` and tests always; anything else that reaches a wait and that nobody calls.
fn entry_points(program: &Program, callers: &BTreeMap<FunctionId, BTreeSet<FunctionId>>) -> Vec<FunctionId> {
    let is_root = |id: FunctionId, callers: &BTreeSet<FunctionId>| {
        let function = program.function(id);
        let called = callers.iter().any(|caller| *caller != id);
        if program.is_model(id.file) {
            return false;
        }
        match (function.role, function.target) {
            (_, Target::Kernel | Target::Device) | (Role::Macro | Role::Destructor, _) => false,
            (Role::Test, _) => true,
            _ => is_main(function) || !called,
        }
    };
    callers
        .iter()
        .filter(|(id, callers)| is_root(**id, callers))
        .map(|(id, _)| *id)
        .collect()
}

/// The program's own start.
pub(crate) fn is_main(function: &Function) -> bool {
    function.role == Role::Function && function.path.len() == 1 && function.path[0] == "main"
}

fn mentions_of(program: &Program, id: FunctionId, special: &mut SpecialMembers) -> Mentions {
    let function = program.function(id);
    let mut it = Mentions::default();
    let scope = Scope {
        file: id.file,
        path: &function.path,
    };
    let class = program.class_of_method(id);
    let receivers = Receivers::of(program, id, class);
    let (mut harmless, mut called) = (None, None);
    visit::function(function, &mut |node| match node {
        Node::Expr(expression) => match &expression.kind {
            ExprKind::Launch(_) => it.note(Some(Weight::Heavy)),
            ExprKind::Call(call) if program.fills_variable(expression) => harmless = Some(call.callee.span),
            ExprKind::Call(call) => {
                called = Some(call.callee.span);
                it.may_block |= blocking::of_unseen(program, scope, &receivers, call);
            }
            ExprKind::Name(_) if harmless == Some(expression.span) => {}
            // A variable that is called as a function is.
            ExprKind::Name(name)
                if name.is_plain()
                    && called != Some(expression.span)
                    && receivers.is_variable(name.last()) => {}
            ExprKind::Name(name) if program.is_dependent(function, class, name) => {
                it.untyped.push(name.last().to_owned());
            }
            ExprKind::Name(name) => mention_name(program, scope, name, special, &mut it),
            ExprKind::Member { object, field, arrow } => {
                // A field that is not called makes no event; a macro may call what it is handed.
                let calls = called == Some(expression.span) || function.role == Role::Macro;
                it.note(
                    program.names.vocabularies[scope.file.0 as usize]
                        .in_member(field)
                        .filter(|_| calls),
                );
                if calls && library::ends_held(field) {
                    for (ty, declared) in receivers.declared_as(object) {
                        mention_arguments(program, declared, &ty.name, special, &mut it);
                    }
                }
                if program.names.functions.contains_key(field) {
                    if !calls {
                        return;
                    }
                    match receivers.methods(object, *arrow, field) {
                        Some(methods) => it.typed.extend(methods),
                        None => it.untyped.push(field.clone()),
                    }
                }
            }
            _ => {}
        },
        Node::Variable(variable) => mention_type(program, scope, &variable.ty, special, &mut it),
        Node::Type(ty) => mention_type(program, scope, ty, special, &mut it),
        Node::Statement(_) => {}
    });
    if let Some(class) = class {
        // A constructor runs its members' constructors; whoever owns the class runs the destructor.
        if function.role == Role::Constructor {
            it.functions
                .extend(special_members(program, class, special, 0).iter());
        }
    }
    it.functions.sort_unstable();
    it.functions.dedup();
    it.untyped.sort_unstable();
    it.untyped.dedup();
    it.typed.sort_unstable();
    it.typed.dedup();
    it.overloads.sort_unstable();
    it.overloads.dedup();
    it
}

fn mention_name(
    program: &Program,
    scope: Scope<'_>,
    name: &Name,
    special: &mut SpecialMembers,
    it: &mut Mentions,
) {
    let last = name.last();
    it.note(events::in_name(last));
    it.note(program.is_observed(last).then_some(Weight::Heavy));
    mention_arguments(program, scope, name, special, it);
    if let Some(call) = api::lookup(last).or_else(|| api::lookup_path(&name.path)) {
        it.note(match call.operation {
            Operation::Other
            | Operation::ErrorQuery
            | Operation::HostTransfer
            | Operation::RequestStart
            | Operation::RequestWait => None,
            Operation::DeviceGet => Some(Weight::Light),
            _ => Some(Weight::Heavy),
        });
        it.wait |= matches!(
            call.operation,
            Operation::StreamWaitValue | Operation::StreamBatchMemOp
        );
        it.blocks |= blocking::of_api(call);
    }
    if program.names.globals.contains_key(last)
        && let Some(global) = program.resolve_global(scope, name)
    {
        visit::variable(&program.global(global).variable, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(inner),
                ..
            }) = node
                && !program.names.globals.contains_key(inner.last())
            {
                mention_name(program, scope, inner, special, it);
            }
        });
    }
    if !program.names.functions.contains_key(last) {
        return;
    }
    if let Some(callee) = program.resolve_function(scope, name, None) {
        it.functions.push(callee);
        it.overloads.extend(program.namesakes(scope.file, callee));
    }
    if let Some(kernel) = program.resolve_kernel(scope, name) {
        it.functions.push(kernel);
    }
    if let Some(class) = program.resolve_class(scope, name) {
        it.functions
            .extend(special_members(program, class, special, 0).iter());
    }
}

fn mention_type(
    program: &Program,
    scope: Scope<'_>,
    ty: &Type,
    special: &mut SpecialMembers,
    it: &mut Mentions,
) {
    let last = ty.name.last();
    it.note(events::in_name(last));
    if (program.names.classes.contains_key(last) || program.names.aliases.contains_key(last))
        && let Some(class) = program.resolve_pointed_class(scope, &ty.name)
    {
        it.functions
            .extend(special_members(program, class, special, 0).iter());
    }
    it.note(matches!(last, "device_vector" | "universal_vector").then_some(Weight::Heavy));
    mention_arguments(program, scope, &ty.name, special, it);
}

/// Template arguments name classes that are made of them: `make_unique<T>()`, `vector<T>`.
fn mention_arguments(
    program: &Program,
    scope: Scope<'_>,
    name: &Name,
    special: &mut SpecialMembers,
    it: &mut Mentions,
) {
    mention_held(program, scope, name, special, it, 0);
}

fn mention_held(
    program: &Program,
    scope: Scope<'_>,
    name: &Name,
    special: &mut SpecialMembers,
    it: &mut Mentions,
    depth: u32,
) {
    const MOST_NESTING: u32 = 3;
    let alias = program.names.aliases.contains_key(name.last());
    let alias = if alias {
        program.resolve_alias(scope, name)
    } else {
        None
    };
    for argument in &alias.as_ref().map_or(name, |it| &it.name).template_args {
        let named = Name::of_type(argument);
        if program.names.classes.contains_key(named.last())
            && let Some(class) = program.resolve_class(scope, &named)
        {
            it.functions
                .extend(special_members(program, class, special, 0).iter());
        } else if depth < MOST_NESTING
            && (argument.contains('<') || program.names.aliases.contains_key(named.last()))
            && let Some(name) = kernels::written_name(argument)
        {
            mention_held(program, scope, &name, special, it, depth + 1);
        }
    }
}

/// Constructing a class can run any of its constructors and its destructor, and those of its fields.
fn special_members(
    program: &Program,
    class: ClassId,
    known: &mut SpecialMembers,
    depth: u32,
) -> Arc<[FunctionId]> {
    if let Some(found) = known.get(&(class, depth)) {
        return Arc::clone(found);
    }
    let definition = program.class(class);
    let mut found = Vec::new();
    for name in [
        definition.path.last().cloned(),
        definition.path.last().map(|last| format!("~{last}")),
    ] {
        let Some(ids) = name.and_then(|name| program.names.functions.get(&name)) else {
            continue;
        };
        let special = |id: &&FunctionId| {
            let function = program.function(**id);
            function.defined
                && matches!(function.role, Role::Constructor | Role::Destructor)
                && visible(program, class.file, id.file)
        };
        found.extend(ids.iter().filter(special).copied());
    }
    let scope = Scope {
        file: class.file,
        path: &definition.path,
    };
    for field in definition.fields.iter().filter(|_| depth < 4) {
        if program.names.classes.contains_key(field.ty.name.last())
            && let Some(inner) = program.resolve_class(scope, &field.ty.name)
            && inner != class
        {
            found.extend(special_members(program, inner, known, depth + 1).iter());
        }
    }
    found.sort_unstable();
    found.dedup();
    let found: Arc<[FunctionId]> = found.into();
    known.insert((class, depth), Arc::clone(&found));
    found
}

fn visible(program: &Program, from: FileId, to: FileId) -> bool {
    from == to || program.source(to).variant_of.is_none()
}

impl Program {
    /// Whether executing these statements of a function can make a CUDA call, start a wait or touch another thread.
    pub fn body_is_eventful(
        &self,
        scope: Scope<'_>,
        function: Option<FunctionId>,
        body: &[crate::facts::ir::Stmt],
    ) -> bool {
        let mut found = false;
        let (mut harmless, mut called) = (None, None);
        let mut receivers = None;
        visit::statements(body, &mut |node| {
            if found {
                return;
            }
            if let Node::Expr(expression) = &node {
                match &expression.kind {
                    ExprKind::Call(call) if self.fills_variable(expression) => {
                        harmless = Some(call.callee.span);
                    }
                    ExprKind::Call(call) => called = Some(call.callee.span),
                    ExprKind::Name(_) if harmless == Some(expression.span) => return,
                    ExprKind::Name(name) if function.is_some_and(|it| self.is_dependent_in(it, name)) => {
                        found = self.eventful_role(name.last()).is_some();
                        return;
                    }
                    ExprKind::Member { object, field, arrow } => {
                        found = called == Some(expression.span)
                            && self.method_is_eventful(function, &mut receivers, (object, *arrow), field);
                        return;
                    }
                    _ => {}
                }
            }
            found = self.node_is_eventful(scope, &node);
        });
        found
    }

    /// Whether a name belongs to what a template parameter stands for: `Space::fence` is that of any class.
    fn is_dependent(&self, function: &Function, class: Option<ClassId>, name: &Name) -> bool {
        let [owner, _, ..] = name.path.as_slice() else {
            return false;
        };
        let of_class = class.map_or(&[][..], |it| &self.class(it).template_params[..]);
        function.template_params.contains(owner) || of_class.contains(owner)
    }

    fn is_dependent_in(&self, function: FunctionId, name: &Name) -> bool {
        let definition = self.function(function);
        name.path.len() > 1 && self.is_dependent(definition, self.class_of_method(function), name)
    }

    fn method_is_eventful<'p>(
        &'p self,
        function: Option<FunctionId>,
        receivers: &mut Option<Receivers<'p>>,
        (object, arrow): (&Expr, bool),
        field: &str,
    ) -> bool {
        let vocabularies = &self.names.vocabularies;
        let means = |it: &Vocabulary| it.in_member(field).is_some();
        let is_event = match function {
            Some(function) => means(&vocabularies[function.file.0 as usize]),
            None => vocabularies.iter().any(means),
        };
        if is_event {
            return true;
        }
        let Some(named) = self.names.functions.get(field) else {
            return false;
        };
        if !named.iter().any(|it| self.is_eventful(*it)) {
            return false;
        }
        let meant = function.and_then(|it| {
            let known = receivers.get_or_insert_with(|| Receivers::of(self, it, self.class_of_method(it)));
            known.methods(object, arrow, field)
        });
        meant.is_none_or(|it| it.iter().any(|it| self.is_eventful(*it)))
    }

    fn node_is_eventful(&self, scope: Scope<'_>, node: &Node<'_>) -> bool {
        let mut it = Mentions::default();
        let special = &mut SpecialMembers::default();
        match node {
            Node::Expr(expression) => match &expression.kind {
                ExprKind::Launch(_) => return true,
                ExprKind::Name(name) => mention_name(self, scope, name, special, &mut it),
                _ => {}
            },
            Node::Variable(variable) => mention_type(self, scope, &variable.ty, special, &mut it),
            Node::Type(ty) => mention_type(self, scope, ty, special, &mut it),
            Node::Statement(_) => {}
        }
        it.event.is_some() || it.wait || it.functions.iter().any(|id| self.is_eventful(*id))
    }

    /// `memcpy(&x, …)` of a variable that is no global.
    fn fills_variable(&self, expression: &Expr) -> bool {
        events::filled_variable(expression).is_some_and(|it| !self.names.globals.contains_key(it))
    }
}
