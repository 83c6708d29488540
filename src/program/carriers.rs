//! Objects that carry a stream: policies, contexts, handles. A function that is handed one works in its stream, as others do
//! that are handed one.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::api;
use crate::facts::ir::{Expr, ExprKind, Name, Role};
use crate::facts::visit::{self, Node};

/// How deep base classes are asked for their streams.
const MOST_BASES: u32 = 3;

/// What the text of one function says of streams in what it is handed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// For each parameter, whether work is enqueued in a stream that comes out of it.
    enqueues_with: Vec<bool>,
    says_default: bool,
}

/// A parameter whose object carries a stream.
struct Carrier {
    function: FunctionId,
    /// Its name.
    parameter: String,
    /// File and path of its class.
    class: (FileId, Vec<String>),
    /// The field, in its class or a base.
    field: String,
}

impl Program {
    /// Functions without a stream of their own that enqueue work in the default stream, say so, and are handed an object in
    /// whose stream others enqueue theirs: with that stream in words.
    pub(super) fn careless_of_carried(&self, functions: &[FunctionId]) -> BTreeMap<FunctionId, String> {
        let names = self.carrying_classes();
        if names.is_empty() {
            return BTreeMap::new();
        }
        let carriers = functions
            .par_iter()
            .flat_map_iter(|it| self.carriers(*it, &names));
        let carriers: Vec<Carrier> = carriers.collect();
        let used: BTreeSet<&(FileId, Vec<String>)> = carriers
            .par_iter()
            .filter(|it| self.enqueues_with(it.function, &it.parameter))
            .map(|it| &it.class)
            .collect();
        let careless = |it: &&Carrier| used.contains(&it.class) && self.says_default(it.function);
        let found = carriers.par_iter().filter(careless);
        found
            .map(|it| (it.function, format!("{}.{}", it.parameter, it.field)))
            .collect()
    }

    /// Names of classes with a stream, or that hand out one, and of those that extend them.
    fn carrying_classes(&self) -> BTreeSet<&str> {
        let mut found = self.streaming_classes();
        let units: Vec<usize> = (0..self.written).collect();
        let of_unit = |unit: usize| {
            let functions = self.functions_of(unit);
            let methods = functions.filter(|(id, _)| self.hands_out_stream(*id));
            methods.filter_map(|(_, it)| it.path.iter().rev().nth(1).map(String::as_str))
        };
        let handing: Vec<&str> = units.par_iter().flat_map_iter(|it| of_unit(*it)).collect();
        found.extend(handing);
        let mut open: Vec<&str> = found.iter().copied().collect();
        while let Some(next) = open.pop() {
            let derived = self.names.derived.get(next).into_iter().flatten();
            for it in derived {
                if found.insert(it) {
                    open.push(it);
                }
            }
        }
        found
    }

    fn carriers(&self, id: FunctionId, names: &BTreeSet<&str>) -> Vec<Carrier> {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let carrier = |parameter: &crate::facts::ir::Parameter| {
            let named = parameter.ty.pointers == 0 && names.contains(parameter.ty.name.last());
            let class = self.resolve_class(scope, &parameter.ty.name).filter(|_| named)?;
            let fields = self.carried(class, MOST_BASES);
            let [field] = fields.as_slice() else { return None };
            Some(Carrier {
                function: id,
                parameter: parameter.name.clone(),
                class: (self.base_of(class.file), self.class(class).path.clone()),
                field: field.clone(),
            })
        };
        let named = function.params.iter().filter(|it| !it.name.is_empty());
        let own = named.filter(|it| !self.is_stream_type(scope, &it.ty));
        own.filter_map(carrier).collect()
    }

    /// Whether a function is a method that anybody may ask for the one stream of its object.
    fn hands_out_stream(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let is_getter = function.role == Role::Method && self.is_public(id) && !self.is_static(id);
        is_getter
            && function.params.is_empty()
            && function.path.last().is_some_and(|it| !it.starts_with("operator"))
            && self.is_stream_type(scope, &function.result)
    }

    /// Whether objects of a class have one stream, and hand that out: who is handed one is handed that.
    pub fn carries_one_stream(&self, class: ClassId) -> bool {
        self.carried(class, MOST_BASES).len() == 1
    }

    /// Whether what a function is handed has one stream in all.
    pub fn is_handed_one_stream(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let class = |it: &crate::facts::ir::Parameter| self.resolve_pointed_class(scope, &it.ty.name);
        let streams = function.params.iter().filter_map(class);
        streams
            .map(|it| self.carried(it, MOST_BASES).len())
            .sum::<usize>()
            == 1
    }

    /// The streams of a class and of what it extends: its fields, or what it hands out.
    fn carried(&self, class: ClassId, depth: u32) -> Vec<String> {
        let definition = self.class(class);
        let mut fields: Vec<String> = self.stream_fields(class).into_iter().map(str::to_owned).collect();
        if fields.is_empty() {
            let getters = self
                .written_in(class)
                .filter(|(id, _)| self.hands_out_stream(*id));
            let names = getters.filter_map(|(_, it)| it.path.last());
            fields.extend(names.map(|it| format!("{it}()")));
            fields.sort();
            fields.dedup();
        }
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        for base in definition.bases.iter().filter(|_| depth > 0) {
            if let Some(base) = self.resolve_class(scope, base).filter(|it| *it != class) {
                fields.extend(self.carried(base, depth - 1));
            }
        }
        fields
    }

    /// What counts of a function where careless ones are looked for.
    pub(super) fn carried_part(&self, id: FunctionId) -> Part {
        let params = self.definition(id).params.iter();
        Part {
            enqueues_with: params.map(|it| self.enqueues_with(id, &it.name)).collect(),
            says_default: self.says_default(id),
        }
    }

    /// Some work is enqueued in a stream that comes out of a parameter.
    fn enqueues_with(&self, id: FunctionId, parameter: &str) -> bool {
        self.enqueues_in(id, &|stream| mentions(stream, parameter))
    }

    /// Some work is enqueued in the default stream, without being waited for, and nothing is in another one.
    fn says_default(&self, id: FunctionId) -> bool {
        (self.enqueues_in(id, &is_literally_default) || self.names_no_stream(id))
            && !self.enqueues_in(id, &|stream| !is_literally_default(stream))
    }

    /// A call that has an asynchronous form's name is left with the stream it has by default.
    fn names_no_stream(&self, id: FunctionId) -> bool {
        self.calls_in_text(id, &|_, call| {
            call.is_some_and(|(entry, args)| {
                entry.is_enqueue() && entry.leaves_out(api::Role::Stream, args.len())
            })
        })
    }
}

fn is_literally_default(stream: &Expr) -> bool {
    match &stream.kind {
        ExprKind::Int(0) | ExprKind::Null => true,
        ExprKind::Cast { operand, .. } => is_literally_default(operand),
        _ => false,
    }
}

fn mentions(expression: &Expr, name: &str) -> bool {
    let mut found = false;
    let is_it = |it: &Name| it.is_plain() && it.last() == name;
    visit::expression(expression, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Name(it),
            ..
        }) = node
        {
            found |= is_it(it);
        }
    });
    found
}
