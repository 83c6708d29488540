//! Streams that objects make for themselves: fields that nothing but a call that makes a stream ever fills. Global variables and
//! static members are fields of what they stand in.
//!
//! Invariant: two such fields are never the same stream, whichever objects they belong to, unless they are the same field.

use std::collections::{BTreeMap, BTreeSet};

use super::event_fields::is_nothing;
use super::reads;
use super::receivers::Receivers;
use super::{ClassId, FileId, FunctionId, GlobalId, Program, Scope};
use crate::api::{self, Operation};
use crate::facts::ir::{Expr, ExprKind, Function, Name, Role, Stmt, StmtKind, Type, UnaryOp, Variable};
use crate::facts::visit::{self, Node};

/// A field: file and path of its class, counted in its base unit, and its name.
pub type Field = (FileId, Vec<String>, String);

/// Classes that are asked for a field, a class and its bases.
const MOST_BASES: usize = 8;

/// How a stream that a class makes for itself orders against the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OwnStream {
    /// Like any stream that is made without a flag.
    Blocking,
    /// Not at all.
    NonBlocking,
    /// It depends on flags nobody knows here, or on which call made it.
    Unknown,
}

/// What a function does with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Act {
    Makes(OwnStream),
    /// It comes from somewhere else, or may be given something by somebody who gets its address.
    Fills,
}

/// All of them that there are in a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OwnStreams(BTreeMap<Field, OwnStream>);

impl Program {
    /// A field of a class or of one of its bases, and how the stream in it orders, where nothing but a call that makes
    /// one ever fills it.
    pub fn own_stream(&self, class: ClassId, field: &str) -> Option<(Field, OwnStream)> {
        let all = self.own_streams();
        if all.0.is_empty() {
            return None;
        }
        let found = self.declared_field(class, field)?;
        let kind = all.0.get(&found).copied()?;
        Some((found, kind))
    }

    /// The same of a global variable or a static member.
    pub fn own_global_stream(&self, global: GlobalId) -> Option<(Field, OwnStream)> {
        let found = self.field_of_global(global)?;
        let kind = self.own_streams().0.get(&found).copied()?;
        Some((found, kind))
    }

    fn field_of_global(&self, id: GlobalId) -> Option<Field> {
        let (name, around) = self.global(id).path.split_last()?;
        Some((self.base_of(id.file), around.to_vec(), name.clone()))
    }

    pub(super) fn own_streams(&self) -> &OwnStreams {
        self.own_streams
            .get_or_init(|| reads::of(|| self.find_own_streams()).0)
    }

    /// A field as the class that declares it has it: a class, or one of its bases.
    fn declared_field(&self, class: ClassId, field: &str) -> Option<Field> {
        let (mut open, mut seen) = (vec![class], 0);
        while let Some(class) = open.pop().filter(|_| seen < MOST_BASES) {
            seen += 1;
            let definition = self.class(class);
            if definition.fields.iter().any(|it| it.name == field) {
                let path = definition.path.clone();
                return Some((self.base_of(class.file), path, field.to_owned()));
            }
            let scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            let bases = definition.bases.iter();
            open.extend(bases.filter_map(|it| self.resolve_class(scope, it)));
        }
        None
    }

    /// What some files do with such fields; nothing where nobody asked what they are.
    pub(super) fn acts_in(&self, files: &BTreeSet<FileId>) -> BTreeSet<(Field, Act)> {
        if self.own_streams.get().is_none() {
            return BTreeSet::new();
        }
        let fields = self.handles();
        let own = files.iter().map(|it| it.0 as usize).filter(|it| *it < self.own);
        own.flat_map(|unit| self.acts(unit, &fields)).collect()
    }

    /// Fields and global variables that hold a handle, by name.
    fn handles(&self) -> BTreeMap<&str, Vec<Field>> {
        let units = self.own_units();
        let mut fields: BTreeMap<&str, Vec<Field>> = BTreeMap::new();
        for unit in units {
            for class in &self.units[unit].facts.classes {
                let handles = class.fields.iter().filter(|it| is_handle(it));
                for field in handles {
                    let found = (FileId(unit as u32), class.path.clone(), field.name.clone());
                    fields.entry(&field.name).or_default().push(found);
                }
            }
            let globals = self.units[unit].facts.globals.iter();
            for global in globals.filter(|it| !it.external && holds_handle(&it.variable)) {
                let Some((name, around)) = global.path.split_last() else {
                    continue;
                };
                let found = (FileId(unit as u32), around.to_vec(), name.clone());
                fields.entry(&global.variable.name).or_default().push(found);
            }
        }
        fields
    }

    fn find_own_streams(&self) -> OwnStreams {
        let fields = self.handles();
        if fields.is_empty() {
            return OwnStreams::default();
        }
        // One thread: the others wait for the answer, and none of them may be asked to help with it.
        let acts = (0..self.own).flat_map(|unit| self.acts(unit, &fields));
        let (mut made, mut filled) = (BTreeMap::new(), BTreeSet::new());
        for (field, act) in acts {
            match act {
                Act::Fills => {
                    filled.insert(field);
                }
                Act::Makes(kind) => {
                    let known = made.entry(field).or_insert(kind);
                    if *known != kind {
                        *known = OwnStream::Unknown;
                    }
                }
            }
        }
        made.retain(|it, _| !filled.contains(it));
        OwnStreams(made)
    }

    /// What the functions of a unit do with fields.
    fn acts(&self, unit: usize, fields: &BTreeMap<&str, Vec<Field>>) -> Vec<(Field, Act)> {
        let bytes = &self.units[unit].bytes;
        let stands = |it: &&str| memchr::memmem::find(bytes, it.as_bytes()).is_some();
        let named: BTreeSet<&str> = fields.keys().copied().filter(stands).collect();
        if named.is_empty() {
            return Vec::new();
        }
        let functions = self.units[unit].facts.functions.iter().enumerate();
        let each = functions.flat_map(|(index, function)| {
            let id = FunctionId {
                file: FileId(unit as u32),
                index: index as u32,
            };
            let mut reader = Reader {
                program: self,
                id,
                function,
                named: &named,
                fields,
                receivers: None,
                elements: BTreeMap::new(),
                found: Vec::new(),
            };
            reader.read();
            reader.found
        });
        each.collect()
    }
}

/// Reads one function.
struct Reader<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    named: &'a BTreeSet<&'a str>,
    fields: &'a BTreeMap<&'a str, Vec<Field>>,
    receivers: Option<Receivers<'a>>,
    /// Loop variables that are elements of something: its expression.
    elements: BTreeMap<&'a str, &'a Expr>,
    found: Vec<(Field, Act)>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let function = self.function;
        for (name, init) in &function.initialisers {
            let nothing = init
                .expressions()
                .all(|it| is_nothing(it) || self.mentions(it, name) || self.is_count(it));
            if self.named.contains(name.as_str()) && !nothing {
                self.note(None, name, Act::Fills);
            }
        }
        elements(&function.body, &mut self.elements);
        visit::function(function, &mut |node| match node {
            Node::Expr(expression) => self.expression(expression),
            Node::Variable(variable) => self.variable(variable),
            Node::Type(_) | Node::Statement(_) => {}
        });
    }

    /// How many elements a container is made with.
    fn is_count(&self, expression: &Expr) -> bool {
        match &expression.kind {
            ExprKind::Name(name) if name.is_plain() => {
                let scope = Scope {
                    file: self.id.file,
                    path: &self.function.path,
                };
                let is_number = |it: &Type| {
                    let is_object = self.program.resolve_class(scope, &it.name).is_some()
                        || self.program.resolve_alias(scope, &it.name).is_some();
                    it.pointers == 0 && it.name.template_args.is_empty() && !is_object
                };
                let mut params = self.function.params.iter();
                params.any(|it| it.name == name.last() && is_number(&it.ty))
            }
            ExprKind::Call(call) => {
                matches!(&call.callee.kind, ExprKind::Member { field, .. } if field == "size")
            }
            _ => false,
        }
    }

    /// A reference to a field may be given anything.
    fn variable(&mut self, variable: &'a Variable) {
        let bound = variable.init.as_ref().and_then(|it| it.expressions().next());
        if let Some(value) = bound.filter(|_| variable.ty.reference && !variable.ty.constant) {
            self.fill(value);
        }
    }

    fn expression(&mut self, expression: &'a Expr) {
        match &expression.kind {
            ExprKind::Assign { target, value, .. } => {
                let Some((_, name)) = self.field_of(target) else {
                    return;
                };
                // From one object to another of its class.
                let moves = matches!(self.function.role, Role::Constructor)
                    || self
                        .function
                        .path
                        .last()
                        .is_some_and(|it| it == "operator=" || it == "swap");
                if !(is_nothing(value) || moves && self.mentions(value, name)) {
                    self.fill(target);
                }
            }
            ExprKind::Call(call) => {
                if let ExprKind::Member { object, field, .. } = &call.callee.kind
                    && !api::library::leaves_handles(field)
                {
                    self.fill(object);
                }
                let ExprKind::Name(name) = &call.callee.kind else {
                    return;
                };
                match api::lookup_path(&name.path) {
                    Some(entry) if entry.operation == Operation::StreamCreate => {
                        let out = call.args.first().and_then(address_of);
                        if let Some((object, field)) = out.and_then(|it| self.field_of(it)) {
                            let kind = kind_of(call.args.get(1));
                            self.note(object, field, Act::Makes(kind));
                        }
                    }
                    Some(entry) if entry.operation == Operation::StreamDestroy => {}
                    Some(_) => self.lend(&call.args),
                    None => {
                        self.lend(&call.args);
                        let by_reference = |index: usize| self.takes_by_reference(name.last(), index);
                        let given = call.args.iter().enumerate();
                        let given: Vec<&Expr> = given
                            .filter(|(index, _)| by_reference(*index))
                            .map(|it| it.1)
                            .collect();
                        given.into_iter().for_each(|it| self.fill(it));
                    }
                }
            }
            ExprKind::Construct { init, .. } | ExprKind::New { init: Some(init), .. } => {
                self.lend(init.expressions());
            }
            _ => {}
        }
    }

    /// Whoever gets the address of a field may fill it.
    fn lend(&mut self, args: impl IntoIterator<Item = &'a Expr>) {
        for address in args.into_iter().filter_map(address_of) {
            self.fill(address);
        }
    }

    fn fill(&mut self, expression: &'a Expr) {
        if let Some((object, field)) = self.field_of(expression) {
            self.note(object, field, Act::Fills);
        }
    }

    /// A function of this name has a reference to a stream that it may change at this place.
    fn takes_by_reference(&self, name: &str, index: usize) -> bool {
        let named = self.program.names.functions.get(name).into_iter().flatten();
        let mut taken = named.filter_map(|it| self.program.function(*it).params.get(index));
        taken.any(|it| it.ty.reference && !it.ty.constant && super::is_stream_handle(it.ty.name.last()))
    }

    /// The object, unless it is the method's own, and the field that an expression means.
    fn field_of(&self, expression: &'a Expr) -> Option<(Option<(&'a Expr, bool)>, &'a str)> {
        match &expression.kind {
            ExprKind::Name(name) => match self.elements.get(name.last()) {
                Some(whole) if name.is_plain() => self.field_of(whole),
                _ => self.named.contains(name.last()).then(|| (None, name.last())),
            },
            ExprKind::Member { object, field, arrow } => {
                let known = self.named.contains(field.as_str());
                known.then(|| match object.kind {
                    ExprKind::This => (None, field.as_str()),
                    _ => (Some((object.as_ref(), *arrow)), field.as_str()),
                })
            }
            ExprKind::Index { object, .. } => self.field_of(object),
            ExprKind::Unary {
                op: UnaryOp::Deref | UnaryOp::AddressOf,
                operand,
            }
            | ExprKind::Cast { operand, .. } => self.field_of(operand),
            _ => None,
        }
    }

    fn mentions(&self, expression: &Expr, field: &str) -> bool {
        let mut found = false;
        visit::expression(expression, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Member { field: it, .. },
                ..
            }) = node
            {
                found |= it == field;
            }
        });
        found
    }

    fn note(&mut self, object: Option<(&'a Expr, bool)>, name: &str, act: Act) {
        let (program, id) = (self.program, self.id);
        let receivers = self
            .receivers
            .get_or_insert_with(|| Receivers::of(program, id, program.class_of_method(id)));
        let classes = match object {
            None if receivers.is_variable(name) => return,
            None => program.class_of_method(id).map(|it| vec![it]),
            Some((object, arrow)) => receivers.classes(object, arrow),
        };
        let known = classes.and_then(|classes| {
            let declared = classes.into_iter().map(|it| program.declared_field(it, name));
            declared.collect::<Option<Vec<Field>>>()
        });
        let known = known.or_else(|| {
            let scope = Scope {
                file: id.file,
                path: &self.function.path,
            };
            let global = object.is_none().then(|| Name::plain(name))?;
            let global = program.resolve_global(scope, &global)?;
            program.field_of_global(global).map(|it| vec![it])
        });
        let all = self.fields.get(name).map_or(&[][..], Vec::as_slice);
        let kind = match act {
            Act::Makes(kind) => Some(kind),
            Act::Fills => None,
        };
        let act = |it: &Field| match kind {
            Some(kind) => (it.clone(), Act::Makes(kind)),
            None => (it.clone(), Act::Fills),
        };
        match known {
            Some(known) => self
                .found
                .extend(known.iter().filter(|it| all.contains(it)).map(act)),
            // Whose field it is nobody knows: it may be any of that name.
            None if kind.is_none() => self.found.extend(all.iter().map(act)),
            None => {}
        }
    }
}

/// Loop variables by reference, and what they are elements of.
fn elements<'a>(body: &'a [Stmt], found: &mut BTreeMap<&'a str, &'a Expr>) {
    for statement in body {
        match &statement.kind {
            StmtKind::RangeFor {
                variable,
                range,
                body,
            } => {
                if variable.ty.reference {
                    found.insert(&variable.name, range);
                }
                elements(body, found);
            }
            StmtKind::If { then, otherwise, .. } => {
                elements(then, found);
                elements(otherwise, found);
            }
            StmtKind::Loop { body, .. }
            | StmtKind::Block(body)
            | StmtKind::OpenMp { body, .. }
            | StmtKind::Try { body, .. } => elements(body, found),
            StmtKind::Switch { cases, .. } => cases.iter().for_each(|it| elements(&it.body, found)),
            _ => {}
        }
    }
}

fn is_handle(field: &Variable) -> bool {
    !field.is_static && holds_handle(field)
}

/// A handle, or an array of handles.
fn holds_handle(field: &Variable) -> bool {
    let of = |name: &str| super::is_stream_handle(name);
    let plain = of(field.ty.name.last());
    let held = matches!(field.ty.name.last(), "vector" | "array")
        && field.ty.name.template_args.first().is_some_and(|it| of(it));
    !field.ty.reference && field.ty.pointers == 0 && (plain || held)
}

fn address_of(argument: &Expr) -> Option<&Expr> {
    match &argument.kind {
        ExprKind::Unary {
            op: UnaryOp::AddressOf,
            operand,
        } => Some(operand),
        ExprKind::Cast { operand, .. } => address_of(operand),
        _ => None,
    }
}

fn kind_of(flags: Option<&Expr>) -> OwnStream {
    let flag = match flags.map(|it| &it.kind) {
        None => Some(0),
        Some(ExprKind::Int(value)) => Some(*value),
        Some(ExprKind::Name(name)) => api::cuda_constant(name.last()),
        Some(_) => None,
    };
    match flag {
        Some(0) => OwnStream::Blocking,
        Some(1) => OwnStream::NonBlocking,
        _ => OwnStream::Unknown,
    }
}
