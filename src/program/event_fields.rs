//! Events that classes keep, of which the program uses one half only: recorded and waited for by nobody, or waited for and
//! recorded nowhere.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::receivers::Receivers;
use super::{ClassId, FileId, FunctionId, Program};
use crate::api::{self, Operation};
use crate::facts::ir::{
    BinaryOp, Expr, ExprKind, Function, Initialiser, Role, Stmt, StmtKind, UnaryOp, Variable,
};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;
use crate::syntax::lexer::{self, Kind};

/// What an event is called in CUDA.
const HANDLES: [&str; 3] = ["cudaEvent_t", "CUevent", "hipEvent_t"];

/// Whether a type of this name is the handle of an event itself.
pub fn is_event_handle(name: &str) -> bool {
    HANDLES.contains(&name)
}

/// An event of which one half is missing.
#[derive(Clone, Debug)]
pub struct HalfUsed {
    /// The field's name.
    pub field: String,
    /// Where it is declared.
    pub declared: (FileId, Span),
    /// The calls there are: records, or waits and queries.
    pub calls: Vec<(FileId, Span)>,
    /// Those calls record it, and nothing waits; otherwise they wait, and nothing records.
    pub recorded: bool,
}

/// An event that one stream alone records, and that waits for it.
#[derive(Clone, Debug)]
pub struct SelfWaited {
    /// The field's name.
    pub field: String,
    /// The field beside it that holds the stream.
    pub stream: String,
    /// Where it is declared.
    pub declared: (FileId, Span),
    /// The records.
    pub records: Vec<(FileId, Span)>,
    /// The waits of the stream.
    pub waits: Vec<(FileId, Span)>,
}

/// What classes keep events for that does not work.
#[derive(Clone, Debug, Default)]
pub struct EventFields {
    /// One half is missing.
    pub half_used: Vec<HalfUsed>,
    /// Both halves are in one stream.
    pub self_waited: Vec<SelfWaited>,
}

/// What an occurrence of a name does with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Creates,
    Records,
    /// A stream waits.
    LetsWait,
    /// The host waits, or asks.
    Waits,
    /// It is compared, cleared or destroyed; or the name is that of something else.
    Nothing,
    /// Somebody else gets it, or it comes from somebody else.
    Escapes,
}

/// Whose field a name may be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    /// One of these classes: file, counted in its base unit, and path.
    Classes(Vec<(FileId, Vec<String>)>),
    Unknown,
    /// A variable, or a method.
    None,
}

/// One place at which a name stands.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    file: FileId,
    /// Where the name ends.
    end: u32,
    /// The call it is an argument of, or the name itself.
    site: Span,
    owner: Owner,
    used: Use,
    /// The field that holds the stream it is recorded in, or that waits, where that belongs to the event: it is one of the same
    /// object, and of the same index.
    stream: Option<String>,
}

/// What is done with an event where its name stands.
#[derive(Clone, Debug)]
struct Meaning {
    used: Use,
    site: Span,
    stream: Option<String>,
}

impl Meaning {
    fn plain(used: Use, site: Span) -> Meaning {
        Meaning {
            used,
            site,
            stream: None,
        }
    }
}

impl Program {
    /// Fields that are events and of which the program, as far as all of it is seen, uses only one half, or both for one stream.
    pub fn events_in_vain(&self) -> EventFields {
        let candidates = self.event_fields();
        if candidates.is_empty() {
            return EventFields::default();
        }
        let names: BTreeSet<&str> = candidates.iter().map(|(_, it)| it.name.as_str()).collect();
        let units: Vec<usize> = (0..self.own).collect();
        let found = units
            .par_iter()
            .flat_map_iter(|unit| self.occurrences_in(*unit, &names));
        let mut occurrences: BTreeMap<&str, Vec<&Occurrence>> = BTreeMap::new();
        for (name, occurrence) in found.collect::<Vec<_>>() {
            occurrences.entry(name).or_default().push(occurrence);
        }
        let of = |name: &str| occurrences.get(name).map_or(&[][..], Vec::as_slice);
        let half_used = candidates
            .iter()
            .filter_map(|(class, field)| self.half_used(*class, field, of(&field.name)));
        let self_waited = candidates
            .iter()
            .filter_map(|(class, field)| self.self_waited(*class, field, of(&field.name)));
        EventFields {
            half_used: half_used.collect(),
            self_waited: self_waited.collect(),
        }
    }

    fn event_fields(&self) -> Vec<(ClassId, &Variable)> {
        let units = (0..self.own).filter(|it| self.units[*it].variant_of.is_none());
        let classes = units.flat_map(|unit| {
            let classes = self.units[unit].facts.classes.iter().enumerate();
            classes.map(move |(index, class)| (unit, index, class))
        });
        let fields = classes.flat_map(|(unit, index, class)| {
            let is_event =
                |it: &&Variable| it.ty.pointers == 0 && !it.is_static && HANDLES.contains(&it.ty.name.last());
            let id = ClassId {
                file: FileId(unit as u32),
                index: index as u32,
            };
            class.fields.iter().filter(is_event).map(move |it| (id, it))
        });
        fields.collect()
    }

    /// The places at which a name may stand for a field.
    fn meant<'a>(&self, class: ClassId, all: &[&'a Occurrence]) -> Vec<&'a Occurrence> {
        let own = (self.base_of(class.file), self.class(class).path.clone());
        let all = all.iter().copied();
        all.filter(|it| self.may_name(class.file, it.file))
            .filter(|it| match &it.owner {
                Owner::Classes(classes) => classes.contains(&own),
                Owner::Unknown => true,
                Owner::None => false,
            })
            .collect()
    }

    /// Whether the stream beside an event is the only one that records it, and waits for it.
    fn self_waited(&self, class: ClassId, field: &Variable, all: &[&Occurrence]) -> Option<SelfWaited> {
        let mine = self.meant(class, all);
        let those = |wanted: Use| mine.iter().copied().filter(move |it| it.used == wanted);
        let places = |wanted: Use| -> Vec<(FileId, Span)> {
            let mut found: Vec<_> = those(wanted).map(|it| (self.base_of(it.file), it.site)).collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let stream = those(Use::LetsWait).next()?.stream.clone()?;
        let mut in_streams = those(Use::Records).chain(those(Use::LetsWait));
        let is_alone = those(Use::Records).next().is_some()
            && those(Use::Escapes).next().is_none()
            && in_streams.all(|it| it.stream.as_ref() == Some(&stream));
        let is_kept = || {
            let units = (0..self.own).map(|it| FileId(it as u32));
            let mut units = units.filter(|it| self.may_name(class.file, *it));
            !units.any(|it| self.is_assigned(it, &stream))
        };
        (is_alone && self.is_all_seen(class.file, &field.name, all) && is_kept()).then(|| SelfWaited {
            field: field.name.clone(),
            declared: (class.file, field.span),
            records: places(Use::Records),
            waits: places(Use::LetsWait),
            stream,
        })
    }

    /// Whether something is assigned to a field of a name in a file, but by who makes streams: it may hold another one by then.
    fn is_assigned(&self, file: FileId, name: &str) -> bool {
        let unit = self.unit(file);
        if memchr::memmem::find(&unit.bytes, name.as_bytes()).is_none() {
            return false;
        }
        let mut found = false;
        let is_later = |it: &&Function| it.role != Role::Constructor && !makes_streams(it);
        for function in unit.facts.functions.iter().filter(is_later) {
            visit::function(function, &mut |node| {
                if let Node::Expr(Expr {
                    kind: ExprKind::Assign { target, value, .. },
                    ..
                }) = node
                {
                    found |= field_of(element_of(target).0) == Some(name) && !is_nothing(value);
                }
            });
        }
        found
    }

    fn half_used(&self, class: ClassId, field: &Variable, all: &[&Occurrence]) -> Option<HalfUsed> {
        let own = (self.base_of(class.file), self.class(class).path.clone());
        let others = self.classes_with_field(&field.name);
        let is_only = others.iter().all(|it| *it == own);
        let mine = self.meant(class, all);
        let count = |wanted: Use| mine.iter().filter(|it| it.used == wanted).count();
        let (records, waits) = (count(Use::Records), count(Use::Waits) + count(Use::LetsWait));
        if count(Use::Escapes) > 0 || count(Use::Creates) == 0 || (records == 0) == (waits == 0) {
            return None;
        }
        let is_half = |it: &Occurrence| match records > 0 {
            true => it.used == Use::Records,
            false => matches!(it.used, Use::Waits | Use::LetsWait),
        };
        // A name that other classes have too is this one's only where the type of the object is plain to see.
        let sure = mine
            .iter()
            .filter(|it| is_half(it) && (is_only || it.owner != Owner::Unknown));
        let mut calls: Vec<(FileId, Span)> = sure.map(|it| (self.base_of(it.file), it.site)).collect();
        calls.sort_unstable();
        calls.dedup();
        // Who waits for the stream or the device instead needs no event.
        let recorded = records > 0;
        if recorded && calls.iter().any(|(file, site)| self.waits_around(*file, *site)) {
            return None;
        }
        let found = HalfUsed {
            field: field.name.clone(),
            declared: (class.file, field.span),
            recorded,
            calls,
        };
        (!found.calls.is_empty() && self.is_all_seen(class.file, &field.name, all)).then_some(found)
    }

    /// Whether the host waits for something in the function that holds a call.
    fn waits_around(&self, file: FileId, site: Span) -> bool {
        let functions = self.unit(file).facts.functions.iter().enumerate();
        let mut around = functions.filter(|(_, it)| it.span.start <= site.start && site.end <= it.span.end);
        around.any(|(index, _)| {
            self.waits_in_text(FunctionId {
                file,
                index: index as u32,
            })
        })
    }

    /// Classes with a field of a name, by file and path.
    fn classes_with_field(&self, name: &str) -> BTreeSet<(FileId, Vec<String>)> {
        let mut found = BTreeSet::new();
        for unit in 0..self.own {
            for class in &self.units[unit].facts.classes {
                if class.fields.iter().any(|it| it.name == name) {
                    found.insert((self.base_of(FileId(unit as u32)), class.path.clone()));
                }
            }
        }
        found
    }

    /// Whether a file can name what another one declares: a header may be included in ways nobody sees.
    fn may_name(&self, declared: FileId, file: FileId) -> bool {
        let extension = self.unit(declared).path.rsplit('.').next().unwrap_or_default();
        let is_source = matches!(extension, "cu" | "cpp" | "cc" | "cxx" | "c++" | "c");
        let (declared, file) = (self.base_of(declared), self.base_of(file));
        !is_source || self.names.visible[file.0 as usize].contains(&declared)
    }

    /// Whether every place at which the name stands was understood.
    fn is_all_seen(&self, declared: FileId, name: &str, all: &[&Occurrence]) -> bool {
        let units = (0..self.own).filter(|it| self.units[*it].variant_of.is_none());
        let files = units.map(|it| FileId(it as u32));
        let mut named = files.filter(|it| {
            let bytes = &self.unit(*it).bytes;
            self.may_name(declared, *it) && memchr::memmem::find(bytes, name.as_bytes()).is_some()
        });
        named.all(|file| {
            let unit = self.unit(file);
            let mut known: BTreeSet<u32> = BTreeSet::new();
            let here = all.iter().filter(|it| self.base_of(it.file) == file);
            known.extend(here.map(|it| it.end));
            let fields = unit.facts.classes.iter().flat_map(|it| &it.fields);
            known.extend(fields.filter(|it| it.name == name).map(|it| it.span.end));
            let tokens = lexer::lex_file(&unit.bytes).tokens;
            tokens.iter().all(|token| match token.kind {
                Kind::Word if token.text(&unit.bytes) == name.as_bytes() => known.contains(&token.end),
                Kind::Directive => memchr::memmem::find(token.text(&unit.bytes), name.as_bytes()).is_none(),
                _ => true,
            })
        })
    }

    /// Every place in the functions of a unit at which one of the names stands.
    pub(super) fn occurrences(&self, unit: usize, names: &BTreeSet<&str>) -> Vec<(String, Occurrence)> {
        let mut found = Vec::new();
        let bytes = &self.units[unit].bytes;
        let stands = |it: &&&str| memchr::memmem::find(bytes, it.as_bytes()).is_some();
        let names: &BTreeSet<&str> = &names.iter().filter(stands).copied().collect();
        if names.is_empty() {
            return found;
        }
        for (index, function) in self.units[unit].facts.functions.iter().enumerate() {
            let id = FunctionId {
                file: FileId(unit as u32),
                index: index as u32,
            };
            let mut reader = Reader {
                program: self,
                id,
                function,
                names,
                receivers: None,
                understood: BTreeMap::new(),
                found: Vec::new(),
            };
            reader.initialisers();
            visit::function(function, &mut |node| match node {
                Node::Expr(expression) => reader.expression(expression),
                Node::Variable(variable) => reader.variable(variable),
                Node::Statement(Stmt {
                    kind: StmtKind::If { condition, .. },
                    ..
                }) => reader.asked(condition),
                Node::Type(_) | Node::Statement(_) => {}
            });
            found.append(&mut reader.found);
        }
        found
    }
}

/// Reads one function.
struct Reader<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    names: &'a BTreeSet<&'a str>,
    receivers: Option<Receivers<'a>>,
    /// Names whose meaning follows from what is around them.
    understood: BTreeMap<Span, Meaning>,
    found: Vec<(String, Occurrence)>,
}

impl<'a> Reader<'a> {
    fn note(&mut self, name: &str, end: u32, meaning: Meaning, owner: Owner) {
        let file = self.id.file;
        let Meaning { used, site, stream } = meaning;
        let occurrence = Occurrence {
            file,
            end,
            site,
            owner,
            used,
            stream,
        };
        self.found.push((name.to_owned(), occurrence));
    }

    /// `: event(nullptr)`: the name stands in front of the body, and is looked for in the text.
    fn initialisers(&mut self) {
        let named = self.function.initialisers.iter();
        let named: Vec<_> = named
            .filter(|(name, _)| self.names.contains(name.as_str()))
            .collect();
        if named.is_empty() {
            return;
        }
        let bytes = &self.program.unit(self.id.file).bytes;
        let tokens = lexer::lex_part(bytes, self.function.span).tokens;
        for (name, init) in named {
            let used = match init
                .expressions()
                .all(|it| is_nothing(it) || field_of(it) == Some(name))
            {
                true => Use::Nothing,
                false => Use::Escapes,
            };
            for three in tokens.windows(3) {
                let [before, it, behind] = three else { continue };
                let opens = behind.is(b'(') || behind.is(b'{');
                if it.text(bytes) == name.as_bytes() && opens && (before.is(b':') || before.is(b',')) {
                    let site = Span {
                        start: it.start,
                        end: it.end,
                    };
                    self.note(name, it.end, Meaning::plain(used, site), Owner::Unknown);
                    break;
                }
            }
            for argument in init.expressions() {
                self.understand(argument, &Meaning::plain(Use::Nothing, argument.span));
            }
        }
    }

    /// Whether there is an event.
    fn asked(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                left,
                right,
            } => {
                self.asked(left);
                self.asked(right);
            }
            _ => self.understand(condition, &Meaning::plain(Use::Nothing, condition.span)),
        }
    }

    fn variable(&mut self, variable: &Variable) {
        if self.names.contains(variable.name.as_str()) {
            let span = variable.span;
            self.note(
                &variable.name,
                span.end,
                Meaning::plain(Use::Nothing, span),
                Owner::None,
            );
        }
    }

    fn expression(&mut self, expression: &'a Expr) {
        match &expression.kind {
            ExprKind::Call(call) => {
                // The name of a method is none of a field.
                self.understand(&call.callee, &Meaning::plain(Use::Nothing, expression.span));
                let ExprKind::Name(name) = &call.callee.kind else {
                    return;
                };
                let Some(entry) = api::lookup_path(&name.path) else {
                    return;
                };
                let Some(used) = use_of(entry.operation) else {
                    return;
                };
                let argument = |role| call.args.get(entry.argument(role, call.args.len())?);
                let stream = argument(api::Role::Event)
                    .zip(argument(api::Role::Stream))
                    .and_then(|(event, stream)| self.belonging(event, stream));
                let meaning = Meaning {
                    stream,
                    ..Meaning::plain(used, expression.span)
                };
                for argument in &call.args {
                    self.understand(argument, &meaning);
                }
            }
            ExprKind::Assign {
                op: None,
                target,
                value,
            } => {
                let same = field_of(target).is_some() && field_of(target) == field_of(value);
                if is_nothing(value) || same {
                    self.understand(target, &Meaning::plain(Use::Nothing, expression.span));
                    self.understand(value, &Meaning::plain(Use::Nothing, expression.span));
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Equal | BinaryOp::NotEqual,
                left,
                right,
            } => {
                self.understand(left, &Meaning::plain(Use::Nothing, expression.span));
                self.understand(right, &Meaning::plain(Use::Nothing, expression.span));
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.understand(operand, &Meaning::plain(Use::Nothing, expression.span)),
            ExprKind::Member { object, field, arrow } if self.names.contains(field.as_str()) => {
                let used = self.meaning(expression);
                let owner = self.owner_of(object, *arrow, field);
                self.note(field, expression.span.end, used, owner);
            }
            ExprKind::Name(name) if self.names.contains(name.last()) => {
                let used = self.meaning(expression);
                let owner = self.owner_here(name.last());
                self.note(name.last(), expression.span.end, used, owner);
            }
            _ => {}
        }
    }

    /// Parents come before children: what is written around a name says what is done with it.
    fn understand(&mut self, expression: &Expr, meaning: &Meaning) {
        match &expression.kind {
            ExprKind::Name(_) | ExprKind::Member { .. }
                if field_of(expression).is_some_and(|it| self.names.contains(it)) =>
            {
                self.understood.insert(expression.span, meaning.clone());
            }
            ExprKind::Index { object: operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::Unary {
                op: UnaryOp::AddressOf,
                operand,
            } => self.understand(operand, meaning),
            _ => {}
        }
    }

    fn meaning(&self, expression: &Expr) -> Meaning {
        let known = self.understood.get(&expression.span).cloned();
        known.unwrap_or(Meaning::plain(Use::Escapes, expression.span))
    }

    /// The field that a stream is read from, where that belongs to the event: `p->events[i]` and `p->streams[i]`.
    fn belonging(&mut self, event: &Expr, stream: &Expr) -> Option<String> {
        let text = |it: Option<&Expr>| it.map(|it| self.program.words(self.id.file, it.span));
        let (event, of_event) = element_of(event);
        let (stream, of_stream) = element_of(stream);
        let same_object = text(object_of(event)) == text(object_of(stream));
        let is_same = same_object && text(of_event) == text(of_stream);
        let is_variable = |it: &Expr| matches!(it.kind, ExprKind::Name(_) | ExprKind::Member { .. });
        let name = field_of(stream).filter(|_| is_same && of_stream.is_none_or(is_variable))?;
        let is_field = match stream.kind {
            ExprKind::Member { .. } => true,
            _ => matches!(self.owner_here(name), Owner::Classes(_)),
        };
        is_field.then(|| name.to_owned())
    }

    fn receivers(&mut self) -> &Receivers<'a> {
        let (program, id) = (self.program, self.id);
        self.receivers
            .get_or_insert_with(|| Receivers::of(program, id, program.class_of_method(id)))
    }

    fn owner_of(&mut self, object: &Expr, arrow: bool, field: &str) -> Owner {
        if self.function.role == Role::Macro {
            return Owner::Unknown;
        }
        let program = self.program;
        match self.receivers().classes(object, arrow) {
            Some(classes) => program.owners(&classes, field),
            None => Owner::Unknown,
        }
    }

    /// Whose field a name without an object is.
    fn owner_here(&mut self, field: &str) -> Owner {
        if self.function.role == Role::Macro {
            return Owner::Unknown;
        }
        let (program, id) = (self.program, self.id);
        if self.receivers().is_variable(field) {
            return Owner::None;
        }
        match program.class_of_method(id) {
            Some(class) => program.owners(&[class], field),
            None => Owner::Unknown,
        }
    }
}

impl Program {
    /// The classes, where each of them declares the field itself.
    fn owners(&self, classes: &[ClassId], field: &str) -> Owner {
        let declares = |it: &&ClassId| self.class(**it).fields.iter().any(|it| it.name == field);
        if classes.is_empty() || !classes.iter().all(|it| declares(&it)) {
            return Owner::Unknown;
        }
        let known = classes
            .iter()
            .map(|it| (self.base_of(it.file), self.class(*it).path.clone()));
        Owner::Classes(known.collect())
    }
}

/// What a call does with the events it is handed.
fn use_of(operation: Operation) -> Option<Use> {
    use Operation as O;
    Some(match operation {
        O::EventCreate => Use::Creates,
        O::EventDestroy => Use::Nothing,
        O::EventRecord => Use::Records,
        O::StreamWaitEvent => Use::LetsWait,
        O::EventSynchronize | O::EventQuery | O::EventElapsedTime => Use::Waits,
        _ => return None,
    })
}

/// No handle: zero, null, `{}`.
pub(super) fn is_nothing(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Int(_) | ExprKind::Null => true,
        ExprKind::Cast { operand, .. } => is_nothing(operand),
        ExprKind::InitList(items) => items.iter().all(|Initialiser { value, .. }| is_nothing(value)),
        ExprKind::Construct { init, .. } => init.expressions().all(is_nothing),
        _ => false,
    }
}

/// The last part of what an expression names.
fn field_of(expression: &Expr) -> Option<&str> {
    match &expression.kind {
        ExprKind::Name(name) => Some(name.last()),
        ExprKind::Member { field, .. } => Some(field),
        _ => None,
    }
}

/// Whether a function makes streams.
fn makes_streams(function: &Function) -> bool {
    let mut found = false;
    visit::function(function, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Call(call),
            ..
        }) = node
            && let ExprKind::Name(name) = &call.callee.kind
        {
            let entry = api::lookup_path(&name.path);
            found |= entry.is_some_and(|it| it.operation == Operation::StreamCreate);
        }
    });
    found
}

/// The array that an expression is an element of, and its index; any other expression itself.
fn element_of(expression: &Expr) -> (&Expr, Option<&Expr>) {
    match &expression.kind {
        ExprKind::Index { object, index } => (object, Some(index)),
        ExprKind::Cast { operand, .. } => element_of(operand),
        _ => (expression, None),
    }
}

/// The object that a field is one of.
fn object_of(expression: &Expr) -> Option<&Expr> {
    match &expression.kind {
        ExprKind::Member { object, .. } => Some(object),
        _ => None,
    }
}
