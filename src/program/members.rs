//! Members of classes: methods through bases, constructors, destructors, conversions, and what overloads each other.

use std::collections::BTreeSet;

use super::index::member_key;
use super::resolve::{Fit, MAX_DEPTH, Scope, accepts};
use super::{ClassId, FileId, FunctionId, Program, partial};
use crate::facts::ir::{Expr, ExprKind, Function, Name, Role, UnaryOp};
use crate::facts::visit::{self, Node};

impl Program {
    /// A method of a class or of its bases.
    pub fn resolve_method(&self, class: ClassId, method: &str, arguments: usize) -> Option<FunctionId> {
        self.method_in(class, method, arguments, 0)
    }

    fn method_in(&self, class: ClassId, method: &str, arguments: usize, depth: u32) -> Option<FunctionId> {
        if depth > MAX_DEPTH {
            return None;
        }
        let definition = self.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let fitting = |fit: Fit| {
            self.best_member(class, scope, method, |function| {
                matches!(function.role, Role::Method | Role::Constructor | Role::Destructor)
                    && accepts(function, arguments, fit)
            })
        };
        let declared = || fitting(Fit::Declared).filter(|it| self.declared_default(*it, arguments).is_some());
        let found = fitting(Fit::Exact)
            .or_else(|| fitting(Fit::Defaults))
            .or_else(declared);
        found.or_else(|| {
            definition.bases.iter().find_map(|base| {
                let base = self.resolve_class(scope, base)?;
                (base != class)
                    .then(|| self.method_in(base, method, arguments, depth + 1))
                    .flatten()
            })
        })
    }

    /// The class that a base of a class is, as it is written there.
    pub fn base_class(&self, class: ClassId, base: &Name) -> Option<ClassId> {
        let scope = Scope {
            file: class.file,
            path: &self.class(class).path,
        };
        self.resolve_class(scope, base).filter(|it| *it != class)
    }

    /// Whether a base of a class is what a template parameter stands for.
    pub fn is_mixin(&self, class: ClassId, base: &Name) -> bool {
        let definition = self.class(class);
        base.is_plain() && definition.template_params.iter().any(|it| it == base.last())
    }

    /// Whether a class or one of its bases has such a base.
    pub fn has_mixins(&self, class: ClassId) -> bool {
        self.extends_mixins(class, 0)
    }

    fn extends_mixins(&self, class: ClassId, depth: u32) -> bool {
        let mut bases = self.class(class).bases.iter();
        bases.any(|it| match self.base_class(class, it) {
            Some(base) => depth < MAX_DEPTH && self.extends_mixins(base, depth + 1),
            None => self.is_mixin(class, it),
        })
    }

    /// The virtual bases of a class and of its bases, each once, in the order they are made.
    pub fn virtual_bases(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        self.add_virtual_bases(class, &mut found, 0);
        found
    }

    fn add_virtual_bases(&self, class: ClassId, found: &mut Vec<ClassId>, depth: u32) {
        let definition = self.class(class);
        for (index, base) in (0..).zip(&definition.bases) {
            let Some(base) = self.base_class(class, base).filter(|_| depth < MAX_DEPTH) else {
                continue;
            };
            self.add_virtual_bases(base, found, depth + 1);
            if definition.virtual_bases.contains(&index) && !found.contains(&base) {
                found.push(base);
            }
        }
    }

    /// The constructor of a class that takes this many arguments.
    pub fn resolve_constructor(&self, class: ClassId, arguments: usize) -> Option<FunctionId> {
        let definition = self.class(class);
        let name = definition.path.last()?;
        let fitting = |fit: Fit| {
            self.method_in_class(class, name, |function| {
                function.role == Role::Constructor && accepts(function, arguments, fit)
            })
        };
        let declared = || fitting(Fit::Declared).filter(|it| self.declared_default(*it, arguments).is_some());
        fitting(Fit::Exact).or_else(declared)
    }

    /// Functions of the same name and scope that take as many arguments, the function itself among them: of one file, and
    /// for members those that are defined elsewhere.
    pub fn overloads(&self, function: FunctionId, arguments: usize) -> Vec<FunctionId> {
        let definition = self.definition(function);
        let ids = match definition.path.as_slice() {
            [.., owner, name] => self.names.members.get(&member_key(owner, name)),
            [name] => self.names.functions.get(name),
            [] => None,
        };
        let fits = |id: &&FunctionId| {
            let other = self.definition(**id);
            **id == function
                || other.role == definition.role
                    && other.target == definition.target
                    && other.path == definition.path
                    && other.defined
                    && accepts(other, arguments, Fit::Exact)
        };
        let mut all: Vec<FunctionId> = ids.into_iter().flatten().filter(fits).copied().collect();
        if all.len() > 1
            && let Some(around) = self.specialised_around(function)
        {
            all.retain(|it| self.specialised_around(*it).is_none_or(|it| it == around));
        }
        if all.iter().any(|it| it.file != function.file) {
            let is_member = matches!(definition.role, Role::Method | Role::Constructor);
            let class = is_member.then(|| self.class_of_method(function)).flatten();
            all.retain(|it| it.file == function.file || class.is_some_and(|class| self.sees(it.file, class)));
        }
        all
    }

    /// Other functions of the same name and scope that are defined and that a file can see, whatever they take.
    pub(super) fn namesakes(&self, file: FileId, function: FunctionId) -> impl Iterator<Item = FunctionId> {
        let definition = self.definition(function);
        let named = definition.path.last().and_then(|it| self.names.functions.get(it));
        named.into_iter().flatten().copied().filter(move |it| {
            let other = self.definition(*it);
            *it != function
                && other.defined
                && other.role == definition.role
                && other.path == definition.path
                && self.can_see(file, it.file)
        })
    }

    /// The class whose member a function is.
    pub fn class_of_method(&self, function: FunctionId) -> Option<ClassId> {
        let definition = self.definition(function);
        let (_, class) = definition.path.split_last()?;
        if class.len() <= definition.namespaces as usize {
            return None;
        }
        if let Some(around) = self.specialised_around(function) {
            return Some(around);
        }
        let scope = Scope {
            file: function.file,
            path: class,
        };
        let name = Name {
            path: class.to_vec(),
            template_args: Vec::new(),
            owner_args: Vec::new(),
        };
        self.resolve_class(scope, &name)
    }

    /// Whether a class is a template that has specialisations.
    pub fn is_specialised(&self, class: ClassId) -> bool {
        let definition = self.class(class);
        let alike = |it: &&ClassId| self.class(**it).path == definition.path;
        !definition.template_params.is_empty()
            && definition.specialisation.is_empty()
            && definition
                .path
                .last()
                .and_then(|it| self.names.classes.get(it))
                .is_some_and(|named| {
                    let mut alike = named.iter().filter(alike);
                    alike.any(|it| !self.class(*it).specialisation.is_empty())
                })
    }

    /// Of several classes of one path, a template and its specialisations, the one whose braces a function stands in.
    pub fn specialised_around(&self, function: FunctionId) -> Option<ClassId> {
        let definition = self.definition(function);
        let (_, owner) = definition.path.split_last()?;
        let named = self.names.classes.get(owner.last()?)?;
        let mut alike = named
            .iter()
            .filter(|it| it.file == function.file && self.class(**it).path == owner);
        if named.len() < 2 || alike.clone().count() < 2 {
            return None;
        }
        let at = definition.span.start;
        alike
            .find(|it| {
                let span = self.class(**it).span;
                span.start <= at && at < span.end
            })
            .copied()
    }

    /// The specialisations of a class template that stand in its namespace.
    pub fn specialisations(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        let path = &self.class(class).path;
        let named = path.last().and_then(|it| self.names.classes.get(it));
        let all = named.map_or(&[][..], Vec::as_slice).iter().copied();
        all.filter(move |it| self.class(*it).path == *path && !self.class(*it).specialisation.is_empty())
    }

    /// The specialisations beside a class that may be meant as well by arguments that leave out the last ones.
    pub fn perhaps_meant<'a>(
        &'a self,
        class: ClassId,
        arguments: &'a [String],
    ) -> impl Iterator<Item = ClassId> + 'a {
        // Another program of the project may have such a class too.
        self.specialisations(class)
            .filter(move |it| it.file == class.file || self.can_see(class.file, it.file))
            .filter(|it| partial::may_take(self.class(*it), arguments))
    }

    /// Whether somebody wrote a constructor for a class.
    pub fn has_constructor(&self, class: ClassId) -> bool {
        let Some(name) = self.class(class).path.last() else {
            return false;
        };
        self.members_named(class, name).iter().any(|id| {
            let function = self.definition(*id);
            function.role == Role::Constructor && self.is_member(*id, class)
        })
    }

    /// The conversion operators of a class and its bases.
    pub fn conversions(&self, class: ClassId) -> Vec<FunctionId> {
        let mut found = Vec::new();
        let (mut open, mut seen) = (vec![class], BTreeSet::new());
        while let Some(class) = open.pop().filter(|_| seen.len() < MAX_DEPTH as usize) {
            if !seen.insert(class) {
                continue;
            }
            let definition = self.class(class);
            found.extend(self.names.conversions.iter().copied().filter(|id| {
                self.is_member(*id, class) && self.distance(class.file, id.file, true).is_some()
            }));
            let scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            open.extend(
                definition
                    .bases
                    .iter()
                    .filter_map(|base| self.resolve_class(scope, base)),
            );
        }
        found
    }

    /// The destructor of a class.
    pub fn resolve_destructor(&self, class: ClassId) -> Option<FunctionId> {
        let definition = self.class(class);
        let name = format!("~{}", definition.path.last()?);
        self.method_in_class(class, &name, |function| function.role == Role::Destructor)
    }

    fn method_in_class(
        &self,
        class: ClassId,
        name: &str,
        fits: impl Fn(&Function) -> bool,
    ) -> Option<FunctionId> {
        let definition = self.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        self.best_member(class, scope, name, fits)
    }

    /// The best definition of a member of this class itself.
    fn best_member(
        &self,
        class: ClassId,
        scope: Scope<'_>,
        name: &str,
        fits: impl Fn(&Function) -> bool,
    ) -> Option<FunctionId> {
        let members = self
            .members_named(class, name)
            .iter()
            .filter(|id| self.is_member(**id, class) && fits(self.definition(**id)));
        let entries = members.map(|id| {
            let function = self.definition(*id);
            (*id, id.file, function.path.as_slice(), !function.internal)
        });
        self.pick(scope, &[name.to_owned()], entries)
    }

    /// Whether a method of that name is written down in a class, wherever it is defined.
    pub fn declares_method(&self, class: ClassId, method: &str) -> bool {
        let mut written = self.written_in(class);
        written.any(|(_, it)| it.path.last().is_some_and(|it| it == method))
    }

    /// Declarations of a method that nobody saw being defined: those of the class, or of the nearest base with any.
    pub fn declared_methods(&self, class: ClassId, method: &str, arguments: usize) -> Vec<FunctionId> {
        let (mut level, mut seen) = (vec![class], BTreeSet::new());
        while !level.is_empty() && seen.len() < MAX_DEPTH as usize {
            let fits = |it: &Function| {
                it.role == Role::Method
                    && it.path.last().is_some_and(|it| it == method)
                    && accepts(it, arguments, Fit::Exact)
            };
            let written = level.iter().flat_map(|it| self.written_in(*it));
            let found: Vec<FunctionId> = written.filter(|it| fits(it.1)).map(|it| it.0).collect();
            if !found.is_empty() {
                return found;
            }
            seen.extend(level.iter().copied());
            let bases = level.iter().flat_map(|it| {
                let bases = self.class(*it).bases.iter();
                bases.filter_map(|base| self.base_class(*it, base))
            });
            level = bases.filter(|it| !seen.contains(it)).collect();
        }
        Vec::new()
    }

    /// Whether a class says that a method without parameters hands out a pointer.
    pub fn declares_pointer_getter(&self, class: ClassId, method: &str) -> bool {
        let hands_out = |it: &Function| {
            it.path.last().is_some_and(|it| it == method) && it.params.is_empty() && it.result.pointers > 0
        };
        self.written_in(class).any(|(_, it)| hands_out(it))
    }

    /// Functions and methods written in a class, or in one of the same path elsewhere.
    pub fn written_in(&self, class: ClassId) -> impl Iterator<Item = (FunctionId, &Function)> {
        let path = &self.class(class).path;
        let ids = path.last().and_then(|owner| self.names.inside.get(owner));
        let all = ids.into_iter().flatten().map(|id| (*id, self.function(*id)));
        let named = path.last().and_then(|it| self.names.classes.get(it));
        let named = named.into_iter().flatten().copied();
        let alike: Vec<ClassId> = named.filter(|it| self.class(*it).path == *path).collect();
        all.filter(move |(id, it)| {
            it.path.split_last().is_some_and(|(_, owner)| owner == path)
                && (alike.len() < 2 || self.specialised_around(*id).is_none_or(|it| it == class))
                && (alike.len() < 2 || self.stands_beside(id.file, class, &alike))
        })
    }

    /// Whether a file that defines members of one of these classes, all of the same name, means this one: it sees it, or
    /// none of them.
    pub(super) fn stands_beside(&self, file: FileId, class: ClassId, alike: &[ClassId]) -> bool {
        self.sees(file, class) || !alike.iter().any(|it| self.sees(file, *it))
    }

    /// Whether a class stands in a file or in one that it includes.
    pub(super) fn sees(&self, file: FileId, class: ClassId) -> bool {
        let visible = &self.names.visible[file.0 as usize];
        file == class.file || visible.binary_search(&class.file).is_ok()
    }

    /// Whether a method of a class other than `method` gives one of its members another number than `known`.
    pub fn is_set_by_others(&self, class: ClassId, method: FunctionId, member: &str, known: i64) -> bool {
        let names = |it: &Expr| names_own(it, member);
        let is_known = |it: &Expr| match it.kind {
            ExprKind::Int(value) => value == known,
            ExprKind::Null => known == 0,
            _ => false,
        };
        let sets = |it: &Expr| match &it.kind {
            ExprKind::Assign { op, target, value } => names(target) && (op.is_some() || !is_known(value)),
            ExprKind::Unary { op, operand } => {
                let reads = matches!(
                    op,
                    UnaryOp::Deref | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Negate | UnaryOp::Plus
                );
                !reads && names(operand)
            }
            _ => false,
        };
        self.others_that_change(class, method).any(|(id, it)| {
            let mut found = false;
            if self.function_mentions(id, member.as_bytes()) {
                visit::statements(&it.body, &mut |node| {
                    found |= matches!(node, Node::Expr(it) if sets(it))
                });
            }
            found
        })
    }

    /// Whether anybody sets a field of this name of an object that is named: `it->count = n`.
    pub fn is_set_from_outside(&self, field: &str) -> bool {
        self.set_from_outside().contains(field)
    }

    /// Fields that somebody sets who names an object.
    pub(super) fn set_from_outside(&self) -> &BTreeSet<String> {
        self.set_from_outside.get_or_init(|| {
            let mut found = BTreeSet::new();
            let units = self.own_units();
            for function in units.flat_map(|it| &self.units[it].facts.functions) {
                found.extend(set_by_name(function).map(str::to_owned));
            }
            found
        })
    }

    /// Whether a method of a class other than `method` may put something into one of its members that is a container.
    pub fn is_filled_by_others(&self, class: ClassId, method: FunctionId, member: &str) -> bool {
        self.others_that_change(class, method)
            .any(|(id, _)| self.function_mentions(id, member.as_bytes()) && self.mentions_name(id, member))
    }

    /// The methods of a class beside one of them that may change its objects.
    fn others_that_change(
        &self,
        class: ClassId,
        method: FunctionId,
    ) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.written_in(class).filter(move |(id, it)| {
            *id != method && it.defined && it.role == Role::Method && !self.is_static(*id) && !it.constant
        })
    }

    /// Whether a plain name stands in the body of a function.
    pub fn mentions_name(&self, function: FunctionId, wanted: &str) -> bool {
        let mut found = false;
        visit::statements(&self.function(function).body, &mut |node| {
            if let Node::Expr(it) = node {
                found |= names_own(it, wanted);
            }
        });
        found
    }

    /// Functions called `name` of every class that is called like this one.
    fn members_named(&self, class: ClassId, name: &str) -> &[FunctionId] {
        let owner = self.class(class).path.last();
        let ids = owner.and_then(|owner| self.names.members.get(&member_key(owner, name)));
        ids.map_or(&[], Vec::as_slice)
    }

    /// Whether a definition is of a member of this class, not of another file's class of the same name.
    fn is_member(&self, id: FunctionId, class: ClassId) -> bool {
        let function = self.function(id);
        if !function.defined || !is_member_of(function, &self.class(class).path) {
            return false;
        }
        let Some((_, owner)) = function.path.split_last().filter(|_| id.file != class.file) else {
            return self.specialised_around(id).is_none_or(|it| it == class);
        };
        let same_name = owner.last().and_then(|name| self.names.classes.get(name));
        !same_name
            .into_iter()
            .flatten()
            .any(|other| other.file == id.file && self.class(*other).path == owner)
    }

    /// The only method with this name in the whole program, whatever its class.
    pub fn unique_method(&self, scope: Scope<'_>, method: &str, arguments: usize) -> Option<FunctionId> {
        self.best_function(scope, &[method.to_owned()], |function| {
            function.defined && function.role == Role::Method && accepts(function, arguments, Fit::Exact)
        })
    }
}

/// Fields that a function sets of objects it names.
pub(super) fn set_by_name(function: &Function) -> impl Iterator<Item = &str> {
    let mut found = Vec::new();
    visit::statements(&function.body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Assign { target, .. },
            ..
        }) = node
            && let ExprKind::Member { object, field, .. } = &target.kind
            && !matches!(object.kind, ExprKind::This)
        {
            found.push(field.as_str());
        }
    });
    found.into_iter()
}

/// A plain name, or the member of this name of the method's own object.
fn names_own(expression: &Expr, wanted: &str) -> bool {
    match &expression.kind {
        ExprKind::Name(name) => name.is_plain() && name.last() == wanted,
        ExprKind::Member { object, field, .. } => matches!(object.kind, ExprKind::This) && field == wanted,
        _ => false,
    }
}

fn is_member_of(function: &Function, class: &[String]) -> bool {
    let Some((_, owner)) = function.path.split_last() else {
        return false;
    };
    // An out-of-class definition may leave namespaces out, or stand in more of them: inline ones, those of macros.
    owner.last() == class.last() && (is_part_of(owner, class) || is_part_of(class, owner))
}

/// Whether names stand in a path in this order.
fn is_part_of(names: &[String], path: &[String]) -> bool {
    let mut path = path.iter();
    names.iter().all(|it| path.any(|other| other == it))
}
