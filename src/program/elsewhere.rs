//! Objects that a function which is handed a stream makes in the default stream, by leaving it to the default of their
//! constructor, and hands on together with the stream it was handed, or returns.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::index::member_key;
use super::kernels::written_name;
use super::receivers::Receivers;
use super::resolve::{Fit, accepts};
use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::api::{self, Operation};
use crate::facts::ir::{Call, Expr, ExprKind, Function, Init, Name, Role, StmtKind, Target, Type, Variable};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// An object that is made in the default stream, and used in the stream the function is handed.
#[derive(Clone, Debug)]
pub struct MadeElsewhere {
    /// The function that is handed a stream.
    pub function: FunctionId,
    /// That stream, by its name.
    pub given: String,
    /// What is made, in the user's words.
    pub what: String,
    /// Name of its class.
    pub class: String,
    /// Where it is made.
    pub made: (FileId, Span),
    /// The call that gets it together with the stream, or the statement that returns it.
    pub used: (FileId, Span),
    /// What that call calls.
    pub callee: Option<String>,
}

/// A variable of a function, as far as its declaration says.
struct Declared<'p> {
    ty: &'p Type,
    /// It is made in the default stream: its class, and where.
    made: Option<(&'p str, Span)>,
}

/// What is known while the text of one function is walked through.
struct Walk<'p> {
    id: FunctionId,
    scope: Scope<'p>,
    given: Vec<&'p str>,
    variables: BTreeMap<&'p str, Declared<'p>>,
    found: Vec<MadeElsewhere>,
}

impl Program {
    /// All of them, in the order of files and places.
    pub fn made_elsewhere(&self) -> Vec<MadeElsewhere> {
        let units: Vec<usize> = self.own_units().collect();
        let of_unit = |unit: &usize| self.made_in(*unit).iter().cloned();
        units.par_iter().flat_map_iter(of_unit).collect()
    }

    /// Those of one unit.
    pub(super) fn made_elsewhere_of(&self, unit: usize) -> Vec<MadeElsewhere> {
        let host = self.functions_of(unit).filter(|(_, it)| is_on_host(it));
        host.flat_map(|(id, it)| self.made_elsewhere_in(id, it)).collect()
    }

    fn made_elsewhere_in<'p>(&'p self, id: FunctionId, function: &'p Function) -> Vec<MadeElsewhere> {
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let streams = function.params.iter();
        let streams = streams.filter(|it| !it.name.is_empty() && self.is_stream_type(scope, &it.ty));
        let given: Vec<&str> = streams.map(|it| it.name.as_str()).collect();
        if given.is_empty() || self.waits_for_device(function) {
            return Vec::new();
        }
        let params = function.params.iter().map(|it| {
            let (ty, made) = (&it.ty, None);
            (it.name.as_str(), Declared { ty, made })
        });
        let variables = params.collect();
        let found = Vec::new();
        let mut walk = Walk {
            id,
            scope,
            given,
            variables,
            found,
        };
        visit::statements(&function.body, &mut |node| match node {
            Node::Variable(variable) => self.declare(&mut walk, variable),
            Node::Expr(expression) => {
                if let ExprKind::Call(call) = &expression.kind {
                    self.hand_on(&mut walk, call, expression.span);
                }
            }
            Node::Statement(statement) => {
                if let StmtKind::Return(Some(value)) = &statement.kind {
                    self.hand_back(&mut walk, value);
                }
            }
            Node::Type(_) => {}
        });
        walk.found
    }

    /// Whether a wait for the whole device stands in the text of a function.
    fn waits_for_device(&self, function: &Function) -> bool {
        let mut found = false;
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
                && let ExprKind::Name(name) = &call.callee.kind
            {
                let entry = api::lookup_path(&name.path);
                found |= entry.is_some_and(|it| it.operation == Operation::DeviceSynchronize);
            }
        });
        found
    }

    fn declare<'p>(&'p self, walk: &mut Walk<'p>, variable: &'p Variable) {
        let (ty, name) = (&variable.ty, variable.name.as_str());
        let args: Vec<&Expr> = match &variable.init {
            Some(Init::Parens(args)) => args.iter().collect(),
            Some(Init::Braces(items)) => items.iter().map(|it| &it.value).collect(),
            _ => Vec::new(),
        };
        let object = ty.pointers == 0 && !ty.reference && variable.dims.is_empty() && !variable.is_static;
        let class = object
            .then(|| self.made_by_default(walk, &ty.name, &args))
            .flatten();
        let made = class.map(|class| (class, variable.span));
        walk.variables.insert(name, Declared { ty, made });
    }

    /// The class of an object that is made of such arguments, where each constructor that may be meant leaves the stream to its default.
    fn made_by_default<'p>(&'p self, walk: &Walk<'p>, class: &Name, args: &[&'p Expr]) -> Option<&'p str> {
        let is_other =
            |it: &Expr| is_other_value(walk, it, class.last()) || self.is_of_others(walk, it, class);
        if args.is_empty() || !args.iter().all(|it| is_other(it)) {
            return None;
        }
        let class = self.resolve_class(walk.scope, class)?;
        self.leaves_stream_to_default(class, args.len())
            .then(|| self.class(class).path.last().map(String::as_str))
            .flatten()
    }

    /// Whether what a call returns is an object of other classes, by the declarations.
    fn is_of_others(&self, walk: &Walk<'_>, value: &Expr, class: &Name) -> bool {
        let receivers = || Receivers::of(self, walk.id, self.class_of_method(walk.id));
        let is_call = matches!(value.kind, ExprKind::Call(_));
        let classes = is_call.then(|| receivers().classes(value, false)).flatten();
        classes.is_some_and(|all| {
            let is_other = |it: &ClassId| self.class(*it).path.last().is_some_and(|it| it != class.last());
            !all.is_empty() && all.iter().all(is_other)
        })
    }

    /// Whether all constructors of a class that take so many arguments, copies left out, take a stream behind them that is the
    /// default one where nobody gives another, and do something with it.
    fn leaves_stream_to_default(&self, class: ClassId, arguments: usize) -> bool {
        let definition = self.class(class);
        let Some(name) = definition.path.last() else {
            return false;
        };
        let members = self.names.members.get(&member_key(name, name));
        let constructors = members.into_iter().flatten().copied().filter(|it| {
            let function = self.function(*it);
            let copies = function
                .params
                .first()
                .is_some_and(|it| it.ty.name.last() == name);
            let own = function
                .path
                .split_last()
                .is_some_and(|it| it.1 == definition.path);
            function.role == Role::Constructor && own && !copies && accepts(function, arguments, Fit::Exact)
        });
        let mut fitting = constructors.peekable();
        fitting.peek().is_some()
            && fitting.all(|it| {
                let function = self.function(it);
                let scope = Scope {
                    file: it.file,
                    path: &function.path,
                };
                let mut behind = function.params.iter().skip(arguments);
                behind.any(|parameter| {
                    let default = parameter
                        .default
                        .as_ref()
                        .is_some_and(|it| self.may_be_default(it));
                    let used = !function.defined || self.passes_on(it, &parameter.name);
                    default && used && self.is_stream_type(scope, &parameter.ty)
                })
            })
    }

    /// A call that is handed the stream: what else is it handed?
    fn hand_on<'p>(&'p self, walk: &mut Walk<'p>, call: &'p Call, span: Span) {
        let given = walk.given.iter().copied();
        let handed = |given: &&str| call.args.iter().any(|it| is_plainly(it, given));
        let Some(given) = given.into_iter().find(handed) else {
            return;
        };
        let callee = match &call.callee.kind {
            ExprKind::Name(name) => name.last(),
            ExprKind::Member { field, .. } => field.as_str(),
            _ => return,
        };
        let file = walk.id.file;
        for (index, argument) in call.args.iter().enumerate() {
            let (what, made) = match &argument.kind {
                ExprKind::Call(inner) if let ExprKind::Member { object, .. } = &inner.callee.kind => {
                    // A view of it.
                    of_variable(walk, object)
                }
                ExprKind::Construct { .. } | ExprKind::Call(_) => {
                    let class = self.made_in_place(walk, argument);
                    (None, class.map(|it| (it, argument.span)))
                }
                ExprKind::Name(_) => match of_variable(walk, argument) {
                    (_, None) => {
                        let class = self.converted_by_default(walk, call, index, argument);
                        (None, class.map(|it| (it, argument.span)))
                    }
                    made => made,
                },
                ExprKind::Str(_) => {
                    let class = self.converted_by_default(walk, call, index, argument);
                    (None, class.map(|it| (it, argument.span)))
                }
                _ => (None, None),
            };
            let Some((class, made)) = made else { continue };
            walk.found.push(MadeElsewhere {
                function: walk.id,
                given: given.to_owned(),
                what: what.map_or_else(|| self.words(file, argument.span), str::to_owned),
                class: class.to_owned(),
                made: (file, made),
                used: (file, span),
                callee: Some(callee.to_owned()),
            });
        }
    }

    /// The class of an object that is made where it is used, by itself or with what owns it, and left with the default stream.
    fn made_in_place<'p>(&'p self, walk: &Walk<'p>, value: &'p Expr) -> Option<&'p str> {
        match &value.kind {
            ExprKind::Construct { ty, init } if ty.pointers == 0 => {
                let args: Vec<&Expr> = init.expressions().collect();
                self.made_by_default(walk, &ty.name, &args)
            }
            ExprKind::Call(call) => {
                let ExprKind::Name(name) = &call.callee.kind else {
                    return None;
                };
                let args: Vec<&Expr> = call.args.iter().collect();
                match api::library::makes_owned(name.last()) {
                    true => self.made_by_default(walk, &written_name(name.template_args.first()?)?, &args),
                    // `C(args)` reads like a call.
                    false if self.names.classes.contains_key(name.last()) => {
                        self.made_by_default(walk, name, &args)
                    }
                    false => None,
                }
            }
            _ => None,
        }
    }

    /// What is returned is for the stream the function is handed, too.
    fn hand_back<'p>(&'p self, walk: &mut Walk<'p>, value: &'p Expr) {
        let (Some(class), Some(given)) = (self.made_in_place(walk, value), walk.given.first()) else {
            return;
        };
        walk.found.push(MadeElsewhere {
            function: walk.id,
            given: (*given).to_owned(),
            what: self.words(walk.id.file, value.span),
            class: class.to_owned(),
            made: (walk.id.file, value.span),
            used: (walk.id.file, value.span),
            callee: None,
        });
    }

    /// The functions that a call by a name may mean in a file.
    pub(super) fn functions_named<'p>(
        &'p self,
        file: FileId,
        name: &'p Name,
        arguments: usize,
    ) -> impl Iterator<Item = FunctionId> + 'p {
        let visible = &self.names.visible[file.0 as usize];
        let named = self.names.functions.get(name.last()).into_iter().flatten();
        named.copied().filter(move |it| {
            let function = self.function(*it);
            let is_called = function.role == Role::Function && function.path.ends_with(&name.path);
            is_called && visible.contains(&it.file) && accepts(function, arguments, Fit::Exact)
        })
    }

    /// The class an argument is made into for a parameter of a call, where that leaves the stream to its default.
    fn converted_by_default<'p>(
        &'p self,
        walk: &Walk<'p>,
        call: &'p Call,
        index: usize,
        argument: &'p Expr,
    ) -> Option<&'p str> {
        let ExprKind::Name(name) = &call.callee.kind else {
            return None;
        };
        // An object of the project may be one of the class, or become one by itself.
        if let ExprKind::Name(it) = &argument.kind {
            let ty = walk.variables.get(it.last()).filter(|_| it.is_plain())?.ty;
            if self.resolve_class(walk.scope, &ty.name).is_some() {
                return None;
            }
        }
        let mut classes = self
            .functions_named(walk.id.file, name, call.args.len())
            .map(|it| {
                let function = self.function(it);
                let scope = Scope {
                    file: it.file,
                    path: &function.path,
                };
                let ty = &function.params.get(index)?.ty;
                self.resolve_class(scope, &ty.name).filter(|_| ty.pointers == 0)
            });
        let class = classes.next()??;
        let path = |it: ClassId| &self.class(it).path;
        let same = classes.all(|it| it.is_some_and(|it| path(it) == path(class)));
        let name = path(class).last()?;
        (same && is_other_value(walk, argument, name) && self.leaves_stream_to_default(class, 1))
            .then_some(name.as_str())
    }
}

pub(super) fn is_on_host(function: &Function) -> bool {
    function.defined
        && matches!(function.target, Target::Host | Target::HostDevice)
        && !matches!(function.role, Role::Macro | Role::Test | Role::Destructor)
}

/// A variable that was made in the default stream.
fn of_variable<'p>(walk: &Walk<'p>, expression: &'p Expr) -> (Option<&'p str>, Option<(&'p str, Span)>) {
    let ExprKind::Name(name) = &expression.kind else {
        return (None, None);
    };
    let variable = walk.variables.get(name.last()).filter(|_| name.is_plain());
    (Some(name.last()), variable.and_then(|it| it.made))
}

/// Whether a value is none of the class itself, and no stream that was handed in: a literal, or a variable of another type.
fn is_other_value(walk: &Walk<'_>, value: &Expr, class: &str) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) => true,
        ExprKind::Name(name) => {
            let variable = walk.variables.get(name.last()).filter(|_| name.is_plain());
            let is_given = walk.given.contains(&name.last());
            variable.is_some_and(|it| {
                !is_given && !matches!(it.ty.name.last(), "auto") && it.ty.name.last() != class
            })
        }
        // Fields, elements and characters put together: no object of the class where its type is another one's.
        ExprKind::Construct { ty, .. } => ty.name.last() != class,
        _ => false,
    }
}

/// A name, or what a method without arguments of that name's object returns: `stream`, `stream.value()`.
fn is_plainly(expression: &Expr, wanted: &str) -> bool {
    match &expression.kind {
        ExprKind::Name(name) => name.is_plain() && name.last() == wanted,
        ExprKind::Call(call) if call.args.is_empty() => match &call.callee.kind {
            ExprKind::Member { object, .. } => is_plainly(object, wanted),
            _ => false,
        },
        _ => false,
    }
}
