//! Which definition a name means: same file, then files it includes, then same directory, then unique in the project.

use super::access::take_the_same;
use super::index::member_key;
use super::kernels::DeviceScope;
use super::partial;
use super::{ClassId, FileId, FunctionId, GlobalId, Program};
use crate::facts::ir::{
    Alias, Class, Expr, ExprKind, Function, Global, Launch, Name, Role, Stmt, StmtKind, Target, Type,
    UnaryOp, fold,
};

/// Up to so many definitions of a name, a lookup is cheaper than remembering it.
const FEW_CANDIDATES: usize = 8;

/// How deep `#include` chains and constant definitions are followed.
pub(super) const MAX_DEPTH: u32 = 16;

/// Where a name is looked up from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope<'a> {
    /// The file.
    pub file: FileId,
    /// Enclosing namespaces and classes, then the function's own name.
    pub path: &'a [String],
}

impl Program {
    /// The defined host or device function a call means, when exactly one fits best.
    pub fn resolve_function(
        &self,
        scope: Scope<'_>,
        name: &Name,
        arguments: Option<usize>,
    ) -> Option<FunctionId> {
        if let Some(named) = self.by_macro(scope, name, arguments) {
            return named;
        }
        self.function_or_macro(scope, name, arguments, |_| true)
    }

    /// The function that a name means where no macro of that name is expanded.
    pub fn resolve_plain_function(
        &self,
        scope: Scope<'_>,
        name: &Name,
        arguments: Option<usize>,
    ) -> Option<FunctionId> {
        self.function_or_macro(scope, name, arguments, |it| it.role != Role::Macro)
    }

    /// The macro with parameters that a name is that of.
    pub fn macro_called(&self, scope: Scope<'_>, name: &Name) -> Option<FunctionId> {
        let ids = self.names.functions.get(name.last())?;
        let is_macro = |it: &Function| it.role == Role::Macro && !it.params.is_empty();
        if !ids.iter().any(|it| is_macro(self.definition(*it))) {
            return None;
        }
        self.best_function(scope, &name.path, is_macro)
    }

    /// What a name means that macros and functions have: followed by arguments, a macro that is as near; without them,
    /// a function.
    fn by_macro(
        &self,
        scope: Scope<'_>,
        name: &Name,
        arguments: Option<usize>,
    ) -> Option<Option<FunctionId>> {
        let ids = self
            .names
            .functions
            .get(name.last())
            .filter(|_| name.is_plain())?;
        let is_macro = |id: &FunctionId| self.definition(*id).role == Role::Macro;
        if !ids.iter().any(is_macro) || ids.iter().all(is_macro) {
            return None;
        }
        let plain = self.resolve_plain_function(scope, name, arguments)?;
        let expanded = self
            .function_or_macro(scope, name, arguments, |it| it.role == Role::Macro)
            .filter(|_| arguments.is_some());
        let far = |id: FunctionId| self.distance(scope.file, id.file, true).unwrap_or(u32::MAX);
        Some(Some(
            expanded.filter(|it| far(*it) <= far(plain)).unwrap_or(plain),
        ))
    }

    fn function_or_macro(
        &self,
        scope: Scope<'_>,
        name: &Name,
        arguments: Option<usize>,
        is_meant: impl Fn(&Function) -> bool,
    ) -> Option<FunctionId> {
        let fitting = |fit: Fit| {
            self.best_function(scope, &name.path, |function| {
                is_meant(function)
                    && !matches!(function.role, Role::Constructor | Role::Destructor)
                    && (function.defined || function.target == Target::Kernel)
                    && arguments.is_none_or(|count| accepts(function, count, fit))
                    && (function.role != Role::Method || self.is_in_reach(scope, &name.path, function))
            })
        };
        let own = |fit: Fit| fitting(fit).filter(|it| !self.is_model(it.file));
        fitting(Fit::Exact).or_else(|| own(Fit::Defaults)).or_else(|| {
            own(Fit::Declared)
                .filter(|it| arguments.is_some_and(|count| self.declared_default(*it, count).is_some()))
        })
    }

    /// Whether the program declares a function that it does not define.
    pub fn only_declares(&self, scope: Scope<'_>, name: &Name, arguments: usize) -> bool {
        self.declaration_of(scope, name, arguments).is_some()
    }

    /// The declaration of a function that the program does not define.
    pub fn declaration_of(&self, scope: Scope<'_>, name: &Name, arguments: usize) -> Option<FunctionId> {
        self.best_function(scope, &name.path, |function| {
            function.role == Role::Function
                && !function.defined
                && function.target != Target::Kernel
                && accepts(function, arguments, Fit::Defaults)
        })
    }

    /// The statements a macro without parameters stands for.
    pub fn object_macro(&self, scope: Scope<'_>, name: &Name) -> Option<FunctionId> {
        if !name.is_plain() {
            return None;
        }
        self.best_function(scope, &name.path, |function| {
            function.role == Role::Macro && function.params.is_empty()
        })
    }

    /// The stream of a launch as it is written: macros may stand for several parts of the configuration.
    pub fn launch_stream<'a>(&'a self, scope: Scope<'_>, launch: &'a Launch) -> Option<&'a Expr> {
        let parts = launch.config.iter().flat_map(|it| {
            let code = match &it.kind {
                ExprKind::Name(name) => self.object_macro(scope, name),
                ExprKind::Call(call) => match &call.callee.kind {
                    ExprKind::Name(name) => self.macro_called(scope, name),
                    _ => None,
                },
                _ => None,
            };
            match code.map(|it| self.definition(it).body.as_slice()) {
                Some(
                    [
                        Stmt {
                            kind: StmtKind::Expr(value),
                            ..
                        },
                    ],
                ) if value.listed().len() > 1 => value.listed(),
                _ => vec![it],
            }
        });
        parts.into_iter().nth(3)
    }

    /// The kernel a launch or a kernel reference means.
    pub fn resolve_kernel(&self, scope: Scope<'_>, name: &Name) -> Option<FunctionId> {
        self.best_function(scope, &name.path, |function| function.target == Target::Kernel)
    }

    /// Free functions of this name, an operator's say, that take as many arguments and can be seen from a file: those of
    /// the namespaces around the scope, and of the namespaces the classes stand in.
    pub fn free_functions(
        &self,
        scope: Scope<'_>,
        name: &str,
        arguments: usize,
        classes: &[ClassId],
    ) -> Vec<FunctionId> {
        let ids = self.names.functions.get(name).map_or(&[][..], Vec::as_slice);
        let around = |space: &[String]| {
            scope.path.starts_with(space) || classes.iter().any(|it| self.class(*it).path.starts_with(space))
        };
        // A template sees what its arguments bring along.
        let is_seen = |file: FileId, of_all: bool| {
            let near = |from| self.distance(from, file, of_all).is_some_and(|it| it < 2);
            near(scope.file) || classes.iter().any(|it| near(it.file))
        };
        let fits = |id: &&FunctionId| {
            let it = self.definition(**id);
            it.role == Role::Function
                && it.defined
                && accepts(it, arguments, Fit::Exact)
                && it.path.split_last().is_some_and(|(_, space)| around(space))
                && is_seen(id.file, !it.internal)
        };
        ids.iter().filter(fits).copied().collect()
    }

    /// The class a type name means, through aliases.
    pub fn resolve_class(&self, scope: Scope<'_>, name: &Name) -> Option<ClassId> {
        let alias = self.resolve_alias(scope, name);
        if alias.as_ref().is_some_and(|it| it.pointers > 0) {
            return None;
        }
        self.class_called(scope, alias.as_ref().map_or(name, |it| &it.name))
    }

    /// The class a name means, or leads to where it is one of pointers: `typedef struct context *handle`.
    pub fn resolve_pointed_class(&self, scope: Scope<'_>, name: &Name) -> Option<ClassId> {
        let alias = self.resolve_alias(scope, name);
        self.class_called(scope, alias.as_ref().map_or(name, |it| &it.name))
    }

    fn class_called(&self, scope: Scope<'_>, name: &Name) -> Option<ClassId> {
        let ids = self.names.classes.get(name.last())?;
        let pick = |fits: &dyn Fn(&Class) -> bool| {
            let all = ids.iter().map(|id| (*id, self.class(*id)));
            let fitting = all.filter(|(_, class)| fits(class));
            let entries = fitting.map(|(id, class)| (id, id.file, class.path.as_slice(), true));
            self.pick(scope, &name.path, entries)
        };
        if name.template_args.is_empty() {
            return pick(&|_| true);
        }
        // An explicit specialisation is meant by its own arguments and by no others.
        let is_explicit = |it: &Class| !it.specialisation.is_empty() && it.template_params.is_empty();
        pick(&|it| is_explicit(it) && same_arguments(&it.specialisation, &name.template_args))
            .or_else(|| {
                let scored = ids.iter().filter_map(|id| {
                    let speciality = partial::speciality(self.class(*id), &name.template_args)?;
                    Some((speciality, *id))
                });
                let scored: Vec<(usize, ClassId)> = scored.collect();
                let best = scored.iter().map(|it| it.0).max()?;
                let entries = scored.iter().filter(|it| it.0 == best).map(|(_, id)| {
                    let class = self.class(*id);
                    (*id, id.file, class.path.as_slice(), true)
                });
                self.pick(scope, &name.path, entries)
            })
            .or_else(|| pick(&|it| it.specialisation.is_empty()))
            .or_else(|| pick(&|it| !is_explicit(it)))
    }

    /// What the parameters of a partial specialisation stand for where a class is made for these arguments.
    pub fn bound_to_partial(&self, class: ClassId, arguments: &[String]) -> Option<Vec<String>> {
        partial::bound(self.class(class), arguments)
    }

    /// Whether some template of the program has a parameter of this name.
    pub fn is_template_parameter(&self, name: &str) -> bool {
        self.names.parameters.contains(name)
    }

    /// The type an alias stands for, followed to its end; `None` when the name is no alias.
    pub fn resolve_alias(&self, scope: Scope<'_>, name: &Name) -> Option<Type> {
        let mut result: Option<Type> = None;
        let (mut pointers, mut array, mut reference) = (0_u8, false, false);
        for _ in 0..MAX_DEPTH {
            let current = result.as_ref().map_or(name, |ty| &ty.name);
            match self.alias_of(scope, current) {
                Some(alias) if alias.ty.name != *current => {
                    let target = alias.instance(&current.template_args);
                    pointers = pointers.saturating_add(target.pointers);
                    array |= target.array;
                    reference |= target.reference;
                    result = Some(target);
                }
                _ => break,
            }
        }
        result.map(|it| Type {
            pointers,
            array,
            reference,
            ..it
        })
    }

    fn alias_of(&self, scope: Scope<'_>, name: &Name) -> Option<&Alias> {
        let ids = self.names.aliases.get(name.last())?;
        let find = || {
            let entries = ids.iter().map(|&(file, index)| {
                let alias = &self.source(file).facts.aliases[index as usize];
                ((file, index), file, alias.path.as_slice(), true)
            });
            self.pick(scope, &name.path, entries)
        };
        let found = if ids.len() <= FEW_CANDIDATES {
            find()
        } else {
            self.remembered(scope, &name.path, find)
        };
        let (file, index) = found?;
        // What no file says that this one sees is not meant where a class is seen that is called so.
        let is_seen = |it: FileId| self.distance(scope.file, it, false).is_some();
        if !is_seen(file) && self.class_called(scope, name).is_some_and(|it| is_seen(it.file)) {
            return None;
        }
        Some(&self.source(file).facts.aliases[index as usize])
    }

    /// Template libraries define `Element` and its like in hundreds of classes: each lookup is done once.
    fn remembered(
        &self,
        scope: Scope<'_>,
        name: &[String],
        find: impl FnOnce() -> Option<(FileId, u32)>,
    ) -> Option<(FileId, u32)> {
        let key = (scope.file, scope.path.join("::"), name.join("::"));
        // A lock that a panic left behind only costs the memory.
        let known = self
            .names
            .lookups
            .lock()
            .ok()
            .and_then(|it| it.get(&key).copied());
        known.unwrap_or_else(|| {
            let found = find();
            if let Ok(mut lookups) = self.names.lookups.lock() {
                lookups.insert(key, found);
            }
            found
        })
    }

    /// The global variable a name means; a definition is preferred to an `extern` declaration.
    pub fn resolve_global(&self, scope: Scope<'_>, name: &Name) -> Option<GlobalId> {
        let ids = self.names.globals.get(name.last())?;
        let entries = |external: bool| {
            ids.iter().filter_map(move |id| {
                let global = self.global(*id);
                (external || !global.external).then_some((
                    *id,
                    id.file,
                    global.path.as_slice(),
                    !global.internal,
                ))
            })
        };
        let found = self
            .pick(scope, &name.path, entries(false))
            .or_else(|| self.pick(scope, &name.path, entries(true)))?;
        self.of_specialisation(scope, name, found, ids)
    }

    /// A static member of a class that is specialised is that of the specialisation which is named; `None` where nobody
    /// knows which.
    fn of_specialisation(
        &self,
        scope: Scope<'_>,
        name: &Name,
        found: GlobalId,
        ids: &[GlobalId],
    ) -> Option<GlobalId> {
        let path = &self.global(found).path;
        let (_, owner) = path.split_last()?;
        let named = owner.last().and_then(|it| self.names.classes.get(it));
        let alike = |it: &&ClassId| it.file == found.file && self.class(**it).path == owner;
        let classes: Vec<ClassId> = named.into_iter().flatten().filter(alike).copied().collect();
        if !classes
            .iter()
            .any(|it| !self.class(*it).specialisation.is_empty())
        {
            return Some(found);
        }
        let (_, written) = name.path.split_last()?;
        let class = Name {
            path: written.to_vec(),
            template_args: name.owner_args.clone(),
            owner_args: Vec::new(),
        };
        let class = self
            .resolve_class(scope, &class)
            .filter(|it| classes.contains(it))?;
        let span = self.class(class).span;
        ids.iter().copied().find(|it| {
            let global = self.global(*it);
            let at = global.variable.span.start;
            it.file == found.file && global.path == *path && span.start <= at && at < span.end
        })
    }

    /// The value of an enumerator, constant macro or constant global.
    pub fn constant_value(&self, scope: Scope<'_>, name: &Name) -> Option<i64> {
        self.constant_at(scope, name, 0)
    }

    /// The expression an enumerator or object-like macro stands for, and the file it is written in.
    pub fn constant_expression(&self, scope: Scope<'_>, name: &Name) -> Option<(FileId, &Expr)> {
        let ids = self.names.constants.get(name.last())?;
        // They have no linkage: who includes them knows them, and what is included behind them.
        let entries = ids.iter().map(|&(file, index)| {
            let (path, _) = &self.source(file).facts.constants[index as usize];
            let includes = &self.names.visible[file.0 as usize];
            let is_behind = includes.binary_search(&scope.file).is_ok();
            ((file, index), file, path.as_slice(), is_behind)
        });
        let (file, index) = self.pick(scope, &name.path, entries)?;
        let (path, value) = &self.source(file).facts.constants[index as usize];
        // What is defined anew, with another value, is not known without the place of its use.
        let differs = ids.iter().any(|&(other, at)| {
            let (other_path, other_value) = &self.source(other).facts.constants[at as usize];
            other == file && at != index && other_path == path && other_value.kind != value.kind
        });
        (!differs).then_some((file, value))
    }

    fn constant_at(&self, scope: Scope<'_>, name: &Name, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (_, expression) = self.constant_expression(scope, name)?;
        self.constant_of(scope, expression, depth)
    }

    /// The value of a constant variable of the host that device code may name.
    fn constant_variable(&self, scope: Scope<'_>, name: &Name, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let id = self.resolve_global(scope, name)?;
        let global = Program::global(self, id);
        let (variable, ty) = (&global.variable, &global.variable.ty);
        let number = ty.constant && ty.pointers == 0 && !ty.reference && variable.dims.is_empty();
        let initial = variable.init.as_ref().filter(|_| number)?.only()?;
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        self.constant_of(scope, initial, depth)
    }

    fn constant_of(&self, scope: Scope<'_>, expression: &Expr, depth: u32) -> Option<i64> {
        match &expression.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(name) => self
                .constant_at(scope, name, depth + 1)
                .or_else(|| self.constant_variable(scope, name, depth + 1)),
            ExprKind::Cast { operand, .. } => self.constant_of(scope, operand, depth + 1),
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => self.constant_of(scope, operand, depth + 1)?.checked_neg(),
            ExprKind::Binary { op, left, right } => fold(
                *op,
                self.constant_of(scope, left, depth + 1)?,
                self.constant_of(scope, right, depth + 1)?,
            ),
            _ => None,
        }
    }

    /// The best function by the ranking of this module.
    pub(super) fn best_function(
        &self,
        scope: Scope<'_>,
        path: &[String],
        fits: impl Fn(&Function) -> bool,
    ) -> Option<FunctionId> {
        let ids = match path {
            [.., owner, name] if !owner.is_empty() => {
                // What a macro's namespace hides has one segment, and is among all of that name only.
                let members = self.names.members.get(&member_key(owner, name));
                members.or_else(|| self.names.functions.get(name))?
            }
            [.., name] => self.names.functions.get(name)?,
            [] => return None,
        };
        let entries = ids.iter().filter_map(|id| {
            let function = self.definition(*id);
            let fitting = fits(function)
                && (function.role != Role::Macro || self.may_be_in_force(scope.file, id.file))
                && !self.is_out_of_scope(scope, path, function, id.file);
            fitting.then_some((*id, id.file, function.path.as_slice(), !function.internal))
        });
        let candidates: Vec<_> = entries.collect();
        let defined = candidates
            .iter()
            .filter(|(id, ..)| self.definition(*id).defined)
            .copied();
        let linked = self
            .pick(scope, path, defined.clone())
            .or_else(|| self.pick(scope, path, candidates.iter().copied()));
        if self.names.weak.is_empty() {
            return linked;
        }
        let is_weak = |id: FunctionId| self.names.weak.contains(&id);
        let strong = || defined.clone().filter(|it| !is_weak(it.0));
        match linked {
            // One that is as near takes its place; whether one that is farther is linked nobody knows.
            Some(id) if is_weak(id) => {
                let own = &self.definition(id).path;
                let may_be_linked = |file| self.distance(scope.file, file, true).is_some();
                let replaced = strong().any(|it| it.3 && it.2 == own.as_slice() && may_be_linked(it.1));
                (!replaced).then_some(id)
            }
            None => self.pick(scope, path, strong()),
            linked => linked,
        }
    }

    /// Whether a name can mean a method: a plain one only where the caller stands in its class, in one that extends it, or
    /// in a test of such a class, `TEST_F(Fixture, …)`.
    fn is_in_reach(&self, scope: Scope<'_>, written: &[String], method: &Function) -> bool {
        let ([_], [.., owner, _]) = (written, method.path.as_slice()) else {
            return true;
        };
        let extends = |path: &[String], class: &str| {
            let class = self.resolve_class(Scope { path, ..scope }, &Name::plain(class));
            class.is_some_and(|it| self.extends(it, owner, 0))
        };
        (0..scope.path.len()).any(|depth| {
            let (path, segment) = (&scope.path[..=depth], &scope.path[depth]);
            match segment.split_once('(') {
                Some((_, arguments)) => {
                    let mut classes = arguments.split([',', ')']).map(str::trim);
                    classes.any(|it| it == owner || extends(path, it))
                }
                None => segment == owner || extends(path, segment),
            }
        })
    }

    /// Whether a class has a base of this name.
    fn extends(&self, class: ClassId, base: &str, depth: u32) -> bool {
        let definition = self.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let leads_there = |name: &Name| {
            let found = self.resolve_class(scope, name).filter(|it| *it != class);
            name.last() == base
                || found.is_some_and(|it| {
                    self.class(it).path.last().is_some_and(|it| it == base)
                        || depth < MAX_DEPTH && self.extends(it, base, depth + 1)
                })
        };
        definition.bases.iter().any(leads_there)
    }

    /// Whether a macro of one file may be in force in another: some file, one of the two say, includes both.
    fn may_be_in_force(&self, from: FileId, to: FileId) -> bool {
        if from == to || self.is_model(from) || self.is_model(to) {
            return true;
        }
        let seen_by = |it: FileId| &self.names.seen_by[it.0 as usize];
        let (few, many) = match seen_by(from).len() < seen_by(to).len() {
            true => (seen_by(from), seen_by(to)),
            false => (seen_by(to), seen_by(from)),
        };
        few.iter().any(|it| many.binary_search(it).is_ok())
    }

    /// Whether a plain name cannot mean a free function in a namespace: the caller stands elsewhere, opens nothing of it, and
    /// sees no declaration of it.
    fn is_out_of_scope(
        &self,
        scope: Scope<'_>,
        written: &[String],
        function: &Function,
        file: FileId,
    ) -> bool {
        let ([name], [outer, _, ..]) = (written, function.path.as_slice()) else {
            return false;
        };
        if function.role != Role::Function || scope.path.first() == Some(outer) || self.is_model(file) {
            return false;
        }
        let seen = &self.names.visible[scope.file.0 as usize];
        let is_seen = |it: FileId| it == scope.file || seen.binary_search(&it).is_ok();
        let opened = |it: &FileId| {
            let all = &self.source(*it).facts.using_namespaces;
            all.iter()
                .any(|namespace| function.path.starts_with(&namespace.path))
        };
        let declared = |id: &FunctionId| is_seen(id.file) && self.definition(*id).path == function.path;
        let named = self.names.functions.get(name).map_or(&[][..], |it| it.as_slice());
        !named.iter().any(declared) && !opened(&scope.file) && !seen.iter().any(opened)
    }

    /// Picks the candidate that is closest: file distance first, then the innermost enclosing scope.
    ///
    /// Several candidates at the same distance and scope are overloads of one entity if they share a file and
    /// a path: the first wins. Otherwise the name is ambiguous.
    pub(super) fn pick<'a, Id: Copy>(
        &self,
        scope: Scope<'_>,
        written: &[String],
        candidates: impl Iterator<Item = (Id, FileId, &'a [String], bool)>,
    ) -> Option<Id> {
        let mut best: Option<(Rank, Id, FileId, &[String])> = None;
        let mut ambiguous = false;
        for (id, file, path, external) in candidates {
            if self.is_model(file) && !self.means_model(scope, written, path) {
                continue;
            }
            let Some(nesting) = scope_fit(scope.path, written, path) else {
                continue;
            };
            let Some(distance) = self.distance(scope.file, file, external) else {
                continue;
            };
            // Who writes a namespace that a macro opens has seen the name in it.
            if nesting == HIDDEN && distance > 1 {
                continue;
            }
            let rank = Rank {
                distance,
                outer: usize::MAX - nesting,
                apart: path.len().saturating_sub(written.len() + nesting - 1),
            };
            match &best {
                Some((kept, _, kept_file, kept_path)) => {
                    if rank < *kept {
                        best = Some((rank, id, file, path));
                        ambiguous = false;
                    } else if rank == *kept && !(*kept_file == file && *kept_path == path) {
                        ambiguous = true;
                    }
                }
                None => best = Some((rank, id, file, path)),
            }
        }
        if ambiguous {
            None
        } else {
            best.map(|(_, id, ..)| id)
        }
    }

    /// Whether a name can mean something of a library: it is written in full, in another model, or where the namespace is open.
    fn means_model(&self, scope: Scope<'_>, written: &[String], path: &[String]) -> bool {
        let from = self.source(scope.file);
        let written = match written {
            [first, rest @ ..] if first.is_empty() => rest,
            all => all,
        };
        let opened = |namespace: &Name| path.strip_prefix(namespace.path.as_slice()) == Some(written);
        from.model || path == written || from.facts.using_namespaces.iter().any(opened)
    }

    /// How far a file's names are from another file; `None` when they cannot be seen.
    pub(super) fn distance(&self, from: FileId, to: FileId, external: bool) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let target = self.source(to);
        if target.model {
            return Some(if self.is_model(from) { 1 } else { u32::MAX });
        }
        if self.is_model(from) {
            return None;
        }
        if target.variant_of.is_some() || self.source(from).variant_of == Some(to.0 as usize) {
            return None;
        }
        if self.names.visible[from.0 as usize].binary_search(&to).is_ok() {
            return Some(1);
        }
        if !external {
            return None;
        }
        Some(2 + self.names.folders.climbs(from, to)?)
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    distance: u32,
    outer: usize,
    /// Namespaces and classes it stands in that the scope does not: something has to open them.
    apart: usize,
}

/// The fit of a name whose first namespaces its path lacks.
const HIDDEN: usize = 0;

/// Whether `written` in `scope` can mean `path`; the number of enclosing segments they share.
///
/// Namespaces opened by `using namespace` and inherited members make exact lookup impossible without types:
/// a written name fits when it is a suffix of the path; deeper shared scopes win.
fn scope_fit(scope: &[String], written: &[String], path: &[String]) -> Option<usize> {
    let (written, is_whole) = match written {
        [first, rest @ ..] if first.is_empty() => (rest, true),
        all => (all, false),
    };
    // `::name` is that of the global namespace, and no member.
    if is_whole && path.len() > written.len() {
        return None;
    }
    if !path.ends_with(written) {
        // A namespace that a macro opens is not part of the path.
        let hidden = written.len() > path.len() && written.ends_with(path) && !is_library(&written[0]);
        return hidden.then_some(HIDDEN);
    }
    Some(1 + scope.iter().zip(path).take_while(|(a, b)| a == b).count())
}

/// Whether two lists of template arguments are the same as far as their last names tell, but for spaces.
pub fn same_arguments(one: &[String], other: &[String]) -> bool {
    let bare = |text: &String| {
        let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
        let name = text.rsplit("::").next().filter(|_| !text.contains('<'));
        name.map(str::to_owned).unwrap_or(text)
    };
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| bare(a) == bare(b))
}

fn is_library(namespace: &str) -> bool {
    matches!(
        namespace,
        "std" | "thrust" | "cub" | "cuda" | "cooperative_groups" | "cg" | "boost"
    )
}

impl Program {
    /// The default of a parameter in a declaration of the function, which need not stand in its definition.
    pub fn declared_default(&self, id: FunctionId, index: usize) -> Option<(FunctionId, &Expr)> {
        self.declarations_of(id).find_map(|it| {
            let default = Program::function(self, it).params.get(index)?.default.as_ref()?;
            Some((it, default))
        })
    }

    /// Where a function is declared beside its definition, in what its file can see: parameters of the same types.
    pub fn declarations_of(&self, id: FunctionId) -> impl Iterator<Item = FunctionId> {
        let definition = Program::function(self, id);
        let name = definition.path.last();
        let named = name.and_then(|it| self.names.functions.get(it));
        let visible = &self.names.visible[id.file.0 as usize];
        let declares = move |it: &FunctionId| {
            let other = Program::function(self, *it);
            !other.defined
                && visible.contains(&it.file)
                && other.path == definition.path
                && take_the_same(other, definition)
        };
        named.into_iter().flatten().copied().filter(declares)
    }

    /// The definition of what is declared, in a file that can see the declaration: parameters of the same types.
    pub fn definition_of(&self, declaration: FunctionId) -> Option<FunctionId> {
        let declared = Program::function(self, declaration);
        let named = self.names.functions.get(declared.path.last()?)?;
        let defines = |it: &&FunctionId| {
            let other = Program::function(self, **it);
            other.defined
                && self.names.visible[it.file.0 as usize].contains(&declaration.file)
                && other.path == declared.path
                && take_the_same(declared, other)
        };
        named.iter().find(defines).copied()
    }
}

/// How well a function takes so many arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Exact,
    /// A definition may have its default arguments in a declaration elsewhere, which need not be among what is read.
    Defaults,
    /// The same, where somebody looks whether there is such a declaration.
    Declared,
}

pub(super) fn accepts(function: &Function, arguments: usize, fit: Fit) -> bool {
    if function
        .params
        .last()
        .is_some_and(|last| last.pack || last.name == "...")
    {
        return arguments + 1 >= function.params.len();
    }
    // Statements as an argument read as several.
    if function.role == Role::Macro && arguments > function.params.len() && !function.params.is_empty() {
        return fit == Fit::Defaults;
    }
    let defaulted = |parameter: &&crate::facts::ir::Parameter| parameter.default.is_none();
    let required = function.params.iter().filter(defaulted).count();
    match fit {
        Fit::Exact => (required..=function.params.len()).contains(&arguments),
        Fit::Defaults => {
            (arguments..=arguments + 2).contains(&required)
                && !matches!(function.role, Role::Macro | Role::Constructor)
                && function.target != Target::Kernel
        }
        Fit::Declared => {
            arguments < required && function.role != Role::Macro && function.target != Target::Kernel
        }
    }
}

impl DeviceScope for Program {
    fn function(&self, id: FunctionId) -> &Function {
        Program::function(self, id)
    }

    fn is_static(&self, id: FunctionId) -> bool {
        Program::is_static(self, id)
    }

    fn resolve_device(&self, from: FunctionId, name: &Name, arguments: usize) -> Option<FunctionId> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        self.best_function(scope, &name.path, |function| {
            function.defined
                && (function.target != Target::Host || function.role == Role::Macro)
                && function.role != Role::Destructor
                && accepts(function, arguments, Fit::Exact)
        })
    }

    fn resolve_device_method(&self, from: FunctionId, method: &str, arguments: usize) -> Option<FunctionId> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        self.best_function(scope, &[method.to_owned()], |function| {
            function.defined
                && function.target != Target::Host
                && function.role == Role::Method
                && accepts(function, arguments, Fit::Exact)
        })
    }

    fn class_method(
        &self,
        from: FunctionId,
        class: &Name,
        method: &str,
        arguments: usize,
    ) -> Option<FunctionId> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        let class = self.resolve_class(scope, class)?;
        let found = self.resolve_method(class, method, arguments)?;
        (Program::function(self, found).target != Target::Host).then_some(found)
    }

    fn resolve_device_global(&self, from: FunctionId, name: &Name) -> Option<GlobalId> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        let id = self.resolve_global(scope, name)?;
        Program::global(self, id).variable.space.is_some().then_some(id)
    }

    fn global(&self, id: GlobalId) -> &Global {
        Program::global(self, id)
    }

    fn class(&self, from: FunctionId, name: &Name) -> Option<&Class> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        self.resolve_class(scope, name).map(|id| Program::class(self, id))
    }

    fn alias(&self, from: FunctionId, name: &Name) -> Option<&Type> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        self.alias_of(scope, name).map(|it| &it.ty)
    }

    fn constant(&self, from: FunctionId, name: &Name) -> Option<i64> {
        let scope = Scope {
            file: from.file,
            path: &Program::function(self, from).path,
        };
        self.constant_value(scope, name)
            .or_else(|| self.constant_variable(scope, name, 0))
    }
}
