//! Who can reach whom: which functions can make CUDA calls, which can start a wait, and where execution can begin.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::api::{self, Operation};
use crate::facts::ir::{ExprKind, Function, Name, Role, Target, Type};
use crate::facts::visit::{self, Node};

/// The answers.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) waits: BTreeSet<FunctionId>,
    pub(super) eventful: BTreeSet<FunctionId>,
    pub(super) entries: Vec<FunctionId>,
    pub(super) any_wait: bool,
}

/// Host-side names that make an ordering event without being CUDA calls.
const HOST_EVENTS: [&str; 26] = [
    "thread",
    "jthread",
    "async",
    "pthread_create",
    "pthread_join",
    "join",
    "lock_guard",
    "unique_lock",
    "scoped_lock",
    "lock",
    "unlock",
    "wait",
    "notify_one",
    "notify_all",
    "setenv",
    "putenv",
    "_putenv_s",
    "store",
    "exchange",
    "fetch_add",
    "set_value",
    "get",
    "__atomic_store_n",
    "__atomic_store",
    "memset",
    "memcpy",
];

#[derive(Default)]
struct Mentions {
    functions: Vec<FunctionId>,
    methods: Vec<String>,
    event: bool,
    wait: bool,
}

pub(super) fn compute(program: &Program) -> Reach {
    let any_kernel_waits = program
        .summaries
        .values()
        .any(|summary| !summary.waits.is_empty());
    let mentions: BTreeMap<FunctionId, Mentions> = program
        .functions()
        .filter(|(_, function)| function.defined && function.target != Target::Kernel)
        .map(|(id, function)| (id, mentions_of(program, id, function)))
        .collect();
    let any_wait = any_kernel_waits || mentions.values().any(|it| it.wait);
    if !any_wait {
        return Reach::default();
    }
    let methods = methods_by_name(program);
    let edges = |it: &Mentions| -> Vec<FunctionId> {
        let through_methods = it.methods.iter().filter_map(|name| methods.get(name)).flatten();
        it.functions.iter().chain(through_methods).copied().collect()
    };
    let callers = invert(&mentions, &edges);
    let waiting_kernels = program
        .summaries
        .iter()
        .filter(|(_, summary)| !summary.waits.is_empty())
        .map(|(id, _)| *id);
    let waits = close(
        &callers,
        waiting_kernels.chain(mentions.iter().filter(|(_, it)| it.wait).map(|(id, _)| *id)),
    );
    let eventful = close(
        &callers,
        mentions
            .iter()
            .filter(|(_, it)| it.event || it.wait)
            .map(|(id, _)| *id),
    );
    let entries = entry_points(program, &waits, &callers, &mentions);
    Reach {
        waits,
        eventful,
        entries,
        any_wait,
    }
}

fn methods_by_name(program: &Program) -> BTreeMap<String, Vec<FunctionId>> {
    let mut methods: BTreeMap<String, Vec<FunctionId>> = BTreeMap::new();
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

fn invert(
    mentions: &BTreeMap<FunctionId, Mentions>,
    edges: &dyn Fn(&Mentions) -> Vec<FunctionId>,
) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
    let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    for (id, it) in mentions {
        for callee in edges(it) {
            callers.entry(callee).or_default().insert(*id);
        }
    }
    callers
}

fn close(
    callers: &BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    seeds: impl Iterator<Item = FunctionId>,
) -> BTreeSet<FunctionId> {
    let mut reached: BTreeSet<FunctionId> = BTreeSet::new();
    let mut open: Vec<FunctionId> = seeds.collect();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            open.extend(
                callers
                    .get(&id)
                    .into_iter()
                    .flatten()
                    .filter(|caller| !reached.contains(caller)),
            );
        }
    }
    reached
}

/// `main` and tests always; anything else that reaches a wait and that nobody calls.
fn entry_points(
    program: &Program,
    waits: &BTreeSet<FunctionId>,
    callers: &BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    mentions: &BTreeMap<FunctionId, Mentions>,
) -> Vec<FunctionId> {
    let is_root = |id: FunctionId, function: &Function| {
        let called = callers
            .get(&id)
            .is_some_and(|callers| callers.iter().any(|caller| *caller != id));
        match function.role {
            Role::Test => true,
            Role::Macro | Role::Destructor => false,
            _ => is_main(function) || !called,
        }
    };
    mentions
        .keys()
        .filter(|id| waits.contains(id))
        .filter(|id| {
            let function = program.function(**id);
            matches!(function.target, Target::Host | Target::HostDevice) && is_root(**id, function)
        })
        .copied()
        .collect()
}

/// The program's own start.
pub(crate) fn is_main(function: &Function) -> bool {
    function.role == Role::Function && function.path.len() == 1 && function.path[0] == "main"
}

fn mentions_of(program: &Program, id: FunctionId, function: &Function) -> Mentions {
    let mut it = Mentions::default();
    let scope = Scope {
        file: id.file,
        path: &function.path,
    };
    visit::function(function, &mut |node| match node {
        Node::Expr(expression) => match &expression.kind {
            ExprKind::Launch(_) => it.event = true,
            ExprKind::Name(name) => mention_name(program, scope, name, &mut it),
            ExprKind::Member { field, .. } => {
                it.event |= HOST_EVENTS.contains(&field.as_str());
                if program.names.functions.contains_key(field) {
                    it.methods.push(field.clone());
                }
            }
            _ => {}
        },
        Node::Variable(variable) => mention_type(program, scope, &variable.ty, &mut it),
        Node::Type(ty) => mention_type(program, scope, ty, &mut it),
    });
    if let Some(class) = owner_class(program, id, function) {
        // A constructor runs its members' constructors; whoever owns the class runs the destructor.
        if function.role == Role::Constructor {
            mention_class(program, class, &mut it, 0);
        }
    }
    it
}

fn owner_class(program: &Program, id: FunctionId, function: &Function) -> Option<ClassId> {
    let (_, class) = function.path.split_last()?;
    if class.len() <= function.namespaces as usize {
        return None;
    }
    let name = Name {
        path: class.to_vec(),
        template_args: Vec::new(),
    };
    program.resolve_class(
        Scope {
            file: id.file,
            path: class,
        },
        &name,
    )
}

fn mention_name(program: &Program, scope: Scope<'_>, name: &Name, it: &mut Mentions) {
    let last = name.last();
    it.event |= HOST_EVENTS.contains(&last);
    if let Some(call) = api::lookup(last).or_else(|| api::lookup_path(&name.path)) {
        it.event |= call.operation != Operation::Other && call.operation != Operation::ErrorQuery;
        it.wait |= matches!(
            call.operation,
            Operation::StreamWaitValue | Operation::StreamBatchMemOp
        );
    }
    if !program.names.functions.contains_key(last) {
        return;
    }
    if let Some(callee) = program.resolve_function(scope, name, None) {
        it.functions.push(callee);
    }
    if let Some(kernel) = program.resolve_kernel(scope, name) {
        it.functions.push(kernel);
    }
    if let Some(class) = program.resolve_class(scope, name) {
        mention_class(program, class, it, 0);
    }
}

fn mention_type(program: &Program, scope: Scope<'_>, ty: &Type, it: &mut Mentions) {
    let last = ty.name.last();
    it.event |= HOST_EVENTS.contains(&last);
    if (program.names.classes.contains_key(last) || program.names.aliases.contains_key(last))
        && let Some(class) = program.resolve_class(scope, &ty.name)
    {
        mention_class(program, class, it, 0);
    }
    it.event |= matches!(last, "device_vector" | "universal_vector");
    for argument in &ty.name.template_args {
        let name = Name::plain(argument.trim_end_matches(['*', '&', ' ']));
        if program.names.classes.contains_key(name.last())
            && let Some(class) = program.resolve_class(scope, &name)
        {
            mention_class(program, class, it, 0);
        }
    }
}

/// Constructing a class can run any of its constructors and its destructor, and those of its fields.
fn mention_class(program: &Program, class: ClassId, it: &mut Mentions, depth: u32) {
    if depth > 4 {
        return;
    }
    let definition = program.class(class);
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
        it.functions.extend(ids.iter().filter(special));
    }
    let scope = Scope {
        file: class.file,
        path: &definition.path,
    };
    for field in &definition.fields {
        if program.names.classes.contains_key(field.ty.name.last())
            && let Some(inner) = program.resolve_class(scope, &field.ty.name)
            && inner != class
        {
            mention_class(program, inner, it, depth + 1);
        }
    }
}

fn visible(program: &Program, from: FileId, to: FileId) -> bool {
    from == to || program.unit(to).variant_of.is_none()
}

impl Program {
    /// Whether executing these statements can make a CUDA call, start a wait or touch another thread.
    pub fn body_is_eventful(&self, scope: Scope<'_>, body: &[crate::facts::ir::Stmt]) -> bool {
        let mut found = false;
        visit::statements(body, &mut |node| {
            if !found {
                found = self.node_is_eventful(scope, &node);
            }
        });
        found
    }

    /// The same for one expression.
    pub fn expression_is_eventful(&self, scope: Scope<'_>, expression: &crate::facts::ir::Expr) -> bool {
        let mut found = false;
        visit::expression(expression, &mut |node| {
            if !found {
                found = self.node_is_eventful(scope, &node);
            }
        });
        found
    }

    fn node_is_eventful(&self, scope: Scope<'_>, node: &Node<'_>) -> bool {
        let mut it = Mentions::default();
        match node {
            Node::Expr(expression) => match &expression.kind {
                ExprKind::Launch(_) => return true,
                ExprKind::Name(name) => mention_name(self, scope, name, &mut it),
                ExprKind::Member { field, .. } => {
                    return HOST_EVENTS.contains(&field.as_str())
                        || self
                            .names
                            .functions
                            .get(field)
                            .is_some_and(|ids| ids.iter().any(|id| self.is_eventful(*id)));
                }
                _ => {}
            },
            Node::Variable(variable) => mention_type(self, scope, &variable.ty, &mut it),
            Node::Type(ty) => mention_type(self, scope, ty, &mut it),
        }
        it.event || it.wait || it.functions.iter().any(|id| self.is_eventful(*id))
    }
}
