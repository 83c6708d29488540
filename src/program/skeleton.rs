//! What of a host function counts for the program as a whole: everything but numbers that are counted in variables of its own.

use std::collections::BTreeSet;
use std::fmt::{Arguments, Write};

use super::{Program, events};
use crate::api;
use crate::facts::ir::{Expr, ExprKind, Function, Init, Stmt, StmtKind, Type, Variable};

/// Types whose variables hold numbers.
const NUMBERS: [&str; 13] = [
    "bool",
    "char",
    "short",
    "int",
    "long",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "long long",
    "unsigned char",
    "float",
    "double",
    "size_t",
];

/// Whether two versions of a function count for the same in the program as a whole.
pub(super) fn is_same(program: &Program, old: &Function, new: &Function) -> bool {
    let of = |it| Skeleton::of(program, it);
    of(old) == of(new)
}

/// Reads one function.
struct Skeleton<'p> {
    program: &'p Program,
    /// Names that what counts mentions.
    counting: BTreeSet<&'p str>,
    /// Names that what was left out mentions.
    left_out: BTreeSet<&'p str>,
    kept: String,
}

impl<'p> Skeleton<'p> {
    fn of<'f: 'p>(program: &'p Program, function: &'f Function) -> String {
        let mut counting: BTreeSet<&str> = function.params.iter().map(|it| it.name.as_str()).collect();
        loop {
            let mut it = Skeleton {
                program,
                counting: counting.clone(),
                left_out: BTreeSet::new(),
                kept: String::new(),
            };
            let _ = write!(it.kept, "{:?}", function.initialisers);
            it.statements(&function.body);
            let kept = plain(format_args!("{}", it.kept));
            let mentioned = |name: &&str| kept.contains(&format!("\"{name}\""));
            let new: Vec<&str> = it.left_out.iter().copied().filter(mentioned).collect();
            if new.is_empty() {
                return kept;
            }
            counting.extend(new);
        }
    }

    fn keep(&mut self, what: Arguments<'_>) {
        let _ = self.kept.write_fmt(what);
    }

    fn statements<'f: 'p>(&mut self, body: &'f [Stmt]) {
        self.keep(format_args!("{{"));
        for statement in body {
            self.statement(statement);
        }
        self.keep(format_args!("}}"));
    }

    fn statement<'f: 'p>(&mut self, statement: &'f Stmt) {
        match &statement.kind {
            StmtKind::Declare(variables) if variables.iter().all(|it| self.is_number(it)) => {
                for variable in variables {
                    self.left_out.insert(&variable.name);
                    if let Some(Init::Value(value)) = &variable.init {
                        self.leave_out(value);
                    }
                }
            }
            StmtKind::Expr(it) if self.only_counts(it) => self.leave_out(it),
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
                constexpr,
            } => {
                self.keep(format_args!("if{constexpr}{condition:?}"));
                [init, then, otherwise]
                    .into_iter()
                    .for_each(|it| self.statements(it));
            }
            StmtKind::Loop {
                kind,
                init,
                condition,
                step,
                body,
            } => {
                self.keep(format_args!("{kind:?}{condition:?}{step:?}"));
                [init, body].into_iter().for_each(|it| self.statements(it));
            }
            StmtKind::Block(body) => self.statements(body),
            other => self.keep(format_args!("{other:?}")),
        }
    }

    /// A variable that nothing but numbers are kept in.
    fn is_number(&self, variable: &Variable) -> bool {
        let Variable {
            name,
            ty,
            dims,
            init,
            bindings,
            is_static,
            space,
            ..
        } = variable;
        let counts = match init {
            None => true,
            Some(Init::Value(value)) => self.only_counts(value),
            Some(_) => false,
        };
        is_number_type(ty)
            && dims.is_empty()
            && bindings.is_empty()
            && !is_static
            && space.is_none()
            && !self.is_known(name)
            && counts
    }

    fn only_counts(&self, it: &Expr) -> bool {
        match &it.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Name(name) => {
                name.is_plain() && name.template_args.is_empty() && !self.is_known(name.last())
            }
            ExprKind::Unary { operand, .. } => self.only_counts(operand),
            ExprKind::Cast { ty, operand } => {
                let unused = ty.name.last() == "void" && ty.pointers == 0;
                (unused || is_number_type(ty)) && self.only_counts(operand)
            }
            ExprKind::Binary { left, right, .. } => self.only_counts(left) && self.only_counts(right),
            ExprKind::Assign { target, value, .. } => {
                matches!(target.kind, ExprKind::Name(_))
                    && self.only_counts(target)
                    && self.only_counts(value)
            }
            _ => false,
        }
    }

    fn leave_out<'f: 'p>(&mut self, it: &'f Expr) {
        crate::facts::visit::expression(it, &mut |node| {
            if let crate::facts::visit::Node::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) = node
            {
                self.left_out.insert(name.last());
            }
        });
    }

    /// Whether a name means something outside of the function, or to CUDA, or to what counts in it.
    fn is_known(&self, name: &str) -> bool {
        let names = &self.program.names;
        name.is_empty()
            || self.counting.contains(name)
            || names.functions.contains_key(name)
            || names.inside.contains_key(name)
            || names.globals.contains_key(name)
            || names.classes.contains_key(name)
            || names.bases.contains_key(name)
            || names.derived.contains_key(name)
            || names.constants.contains_key(name)
            || names.aliases.contains_key(name)
            || names.parameters.contains(name)
            || names.array_fields.contains_key(name)
            || events::in_name(name).is_some()
            || api::lookup(name).is_some()
    }
}

fn is_number_type(ty: &Type) -> bool {
    ty.pointers == 0
        && !ty.reference
        && !ty.volatile
        && ty.name.template_args.is_empty()
        && ty.name.is_plain()
        && NUMBERS.contains(&ty.name.last())
}

/// Facts in words, without the places they stand at; where unions begin is counted from the first of them.
pub(super) fn plain(facts: Arguments<'_>) -> String {
    const PLACE: &str = "Span { start: ";
    const OVERLAYS: &str = "overlays: [(";
    let all = facts.to_string();
    let mut kept = String::with_capacity(all.len() / 2);
    let mut rest = all.as_str();
    let mut places = rest.split(PLACE);
    kept.push_str(places.next().unwrap_or_default());
    for place in places {
        kept.push_str(place.split_once('}').map_or("", |it| it.1));
    }
    if !kept.contains(OVERLAYS) {
        return kept;
    }
    let all = std::mem::take(&mut kept);
    let mut first = None;
    rest = &all;
    while let Some(at) = rest.find(OVERLAYS) {
        let (before, behind) = rest.split_at(at);
        let (pairs, behind) = behind.split_once(']').unwrap_or((behind, ""));
        kept.push_str(before);
        for pair in pairs.split(')').filter_map(|it| it.split_once('(')) {
            let (start, part) = pair.1.split_once(", ").unwrap_or((pair.1, ""));
            let start: i64 = start.parse().unwrap_or_default();
            let _ = write!(kept, "({}, {part})", start - *first.get_or_insert(start));
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}
