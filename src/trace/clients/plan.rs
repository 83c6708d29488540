//! Which clients an interface has, and which calls they make.

use std::collections::{BTreeMap, BTreeSet};

use super::doings::{
    gives_back, leaves_event, leaves_work, makes_handles, only_asks, only_makes, only_waits, waits_last,
};
use super::kinds::{Kind, kind_of, results_of};
use super::{Client, MANY, Session, makes_in_stream, run};
use crate::facts::ir::Role;
use crate::program::interfaces::Interface;
use crate::program::{ClassId, FunctionId, Program};
use crate::trace::machine::Machine;
use crate::trace::{Action, Event};

/// Clients of an interface, by what each of its functions does when all are tried in the order of declaration: one that hands over
/// numbers it chose, and one of whose numbers nothing is known.
pub(in crate::trace) fn of_interface(program: &Program, key: FunctionId, limit: u32) -> Vec<Client> {
    let Some(interface) = program.interface_of(key) else {
        return Vec::new();
    };
    let mut uses = interface.uses.iter().filter(|it| program.takes_stream(**it));
    let lends = uses.any(|it| results_of(program, *it).next().is_some());
    let draft = |chooses| Client {
        lends,
        chooses,
        ..Client::of(interface.clone())
    };
    let recordable = interface.uses.iter().copied();
    let recordable: Vec<FunctionId> = recordable.filter(|it| program.is_recordable(*it)).collect();
    let recording = (!recordable.is_empty()).then(|| Client {
        records: recordable,
        ..draft(false)
    });
    let recording = recording.and_then(|it| it.attempt(program, key, limit));
    let in_one_stream = |it: &Attempt| Client {
        changes_stream: false,
        ..it.client.clone()
    };
    let recording = recording.map(|it| Client {
        again: false,
        ..in_one_stream(&it)
    });
    let relaunching = recording.clone().map(|it| Client {
        relaunches: true,
        ..it
    });
    let recording = recording.into_iter().chain(relaunching);
    // Who lends something in the order of a stream has to keep that order, whoever else in the project asks for it.
    if !interface.keeps_state || !lends && program.is_used(&interface) {
        return recording.collect();
    }
    let attempts = [true, false].map(|it| draft(it).attempt(program, key, limit));
    let [chosen, open] = attempts;
    let chosen = chosen.filter(|it| it.chose && (it.ended || open.as_ref().is_none_or(|it| !it.ended)));
    let takes_stream = |it: &FunctionId| program.takes_stream(*it);
    let in_streams = interface.uses.iter().any(takes_stream) || makes_in_stream(program, &interface);
    let tried = || chosen.iter().chain(&open);
    let pair = tried().find(|it| it.shares && in_streams).map(|it| Client {
        pair: true,
        again: false,
        ..in_one_stream(it)
    });
    let scarce = tried().find(|it| it.client.again).map(|it| Client {
        scarce: true,
        chooses: true,
        ..in_one_stream(it)
    });
    // Numbers of its own choice may be too small for that.
    let mut untold = open.iter().chain(&chosen);
    let several = untold.find(|it| it.client.again && !it.leaves.is_empty());
    let several = several.map(|it| Client {
        repeats: it.leaves.clone(),
        ..in_one_stream(it)
    });
    // What is guarded by a lock is called by several threads, whose streams nobody orders.
    let shared = tried().find(|it| it.locks).map(|it| Client {
        changes_stream: true,
        ..it.client.clone()
    });
    let changes = |it: &Attempt| it.client.changes_stream || it.client.sets_stream;
    let shared = shared.filter(|it| it.again && !tried().any(changes));
    // Whoever sets another stream may well have to wait before: not everybody does.
    let daring = tried().find(|it| it.client.sets_stream && it.client.again);
    let daring = daring.map(|it| Client {
        changes_stream: true,
        ..it.client.clone()
    });
    let plain = chosen.into_iter().chain(open).map(|it| it.client);
    plain
        .chain(shared)
        .chain(daring)
        .chain(pair)
        .chain(scarce)
        .chain(several)
        .chain(recording)
        .collect()
}

/// How often the order of calls is put right.
const MOST_TRIALS: u32 = 2;

/// A client that calls a function twice, in one stream or each time in a stream of its own.
pub(in crate::trace) fn of_two_calls(function: FunctionId, in_one_stream: bool) -> Client {
    Client {
        again: true,
        changes_stream: !in_one_stream,
        ..Client::of(Interface::of_function(function))
    }
}

/// How objects of some classes are opened and built, where they are.
fn parts_of(program: &Program, classes: &BTreeSet<ClassId>, limit: u32) -> BTreeMap<ClassId, Client> {
    let prepared = classes.iter().filter_map(|class| {
        let interface = program.interface_of_class(*class)?;
        let key = *interface.uses.first()?;
        // As far as can be told without what those are made with.
        let own = Client::of(interface)
            .tried(program, key, limit, MOST_TRIALS - 1)?
            .client;
        let has_any = !own.opens.is_empty() || !own.builds.is_empty();
        has_any.then_some((*class, own))
    });
    prepared.collect()
}

/// A client, and what came of trying it.
struct Attempt {
    client: Client,
    /// It handed over a number of its own choice, and that chose no device.
    chose: bool,
    /// It came to its end.
    ended: bool,
    /// Static or global variables have a part in it.
    shares: bool,
    /// A function that is handed a stream locks something.
    locks: bool,
    /// What leaves work behind, where something else that is called in every round waits for work.
    leaves: Vec<FunctionId>,
}

impl Client {
    /// One that calls once whatever is offered.
    fn of(interface: Interface) -> Self {
        Client {
            opens: Vec::new(),
            parts: BTreeMap::new(),
            builds: Vec::new(),
            uses: interface.uses.clone(),
            asks: Vec::new(),
            waits: Vec::new(),
            ends: Vec::new(),
            again: false,
            repeats: Vec::new(),
            changes_stream: false,
            sets_stream: false,
            pair: false,
            in_one_stream: false,
            lends: false,
            is_followed: false,
            chooses: false,
            scarce: false,
            records: Vec::new(),
            relaunches: false,
            made_in_stream: BTreeMap::new(),
            interface,
        }
    }

    fn attempt(self, program: &Program, key: FunctionId, limit: u32) -> Option<Attempt> {
        self.tried(program, key, limit, MOST_TRIALS)
    }

    /// What comes of trying it, and at most so many others that put its calls in a better order.
    fn tried(self, program: &Program, key: FunctionId, limit: u32, trials: u32) -> Option<Attempt> {
        let mut machine = Machine::new(program, key, Vec::new());
        machine.limit = limit;
        machine.enter_entry(key);
        let Session {
            parts,
            made: has_made,
            classes,
            others,
            chose,
            ended,
        } = run(&mut machine, &self);
        let shares = !machine.memory.variables_of_all().is_empty();
        if trials == MOST_TRIALS && !classes.is_empty() && self.parts.is_empty() {
            let parts = parts_of(program, &classes, limit);
            if !parts.is_empty() {
                return Client { parts, ..self }.tried(program, key, limit, trials);
            }
        }
        let trace = &machine.trace;
        let waits = trace.has_waits();
        // Objects of classes around resident kernels have a protocol of their own.
        let is_method = |it: &FunctionId| program.function(*it).role == Role::Method;
        if waits && self.uses.iter().any(is_method) {
            return None;
        }
        let events = &trace.threads[0].events;
        let builds: Vec<FunctionId> = parts.iter().filter(|it| it.adds).map(|it| it.id).collect();
        let filling: Vec<FunctionId> = parts.iter().filter(|it| it.fills).map(|it| it.id).collect();
        let made = parts.iter().filter(|it| !it.uses.is_empty());
        let made_in_stream = made.map(|it| (it.id, it.uses.clone())).collect();
        let parts = parts
            .iter()
            .map(|it| (it.id, events.get(it.events.clone()).unwrap_or_default()));
        let parts: Vec<(FunctionId, &[Event])> = parts.collect();
        let doing = |does: fn(&[Event]) -> bool| -> Vec<FunctionId> {
            let those = parts.iter().filter(|it| does(it.1));
            those.map(|it| it.0).collect()
        };
        // An object that comes with nothing has to be given something first, and what gives that back is no use before the end.
        let fills = |id: &FunctionId| filling.contains(id) && results_of(program, *id).next().is_none();
        let opens: Vec<FunctionId> = match self.opens.as_slice() {
            [] if !has_made => {
                let all: Vec<FunctionId> = doing(only_makes).into_iter().filter(fills).collect();
                // What makes memory alone may as well make more of it later.
                let handles = doing(makes_handles);
                let first: Vec<FunctionId> = all.iter().copied().filter(|it| handles.contains(it)).collect();
                if first.is_empty() { all } else { first }
            }
            known => known.to_vec(),
        };
        if !opens.is_empty() {
            let ends = doing(gives_back);
            let mut uses = self.uses.clone();
            uses.retain(|it| !opens.contains(it));
            uses.sort_by_key(|it| ends.contains(it));
            if uses != self.uses && trials > 0 {
                let next = Client { opens, uses, ..self };
                return next.tried(program, key, limit, trials - 1);
            }
        }
        if self.interface.is_opened && self.opens.is_empty() {
            return None;
        }
        let (mut leaves, blocks) = (doing(leaves_work), doing(|it| waits_last(it) || only_waits(it)));
        // Where an object works with another one that locks something, several threads use that one, and not the object.
        let locks = |id: &FunctionId, it: &Event| match &it.action {
            Action::Lock(mutex) => !is_method(id) || !others.contains(&mutex.base),
            _ => false,
        };
        let locking = parts
            .iter()
            .filter(|(id, events)| events.iter().any(|it| locks(id, it)));
        let locking: Vec<FunctionId> = locking.map(|it| it.0).collect();
        let streams = &trace.notes.client_streams;
        let is_followed = parts.iter().any(|it| leaves_event(it.1, streams));
        let works_in_one = |it: &ClassId| {
            let interface = program.interface_of_class(*it);
            interface.is_some_and(|it| it.uses.iter().any(|it| program.takes_stream(*it)))
        };
        let client = Client {
            builds,
            made_in_stream,
            in_one_stream: classes.iter().any(works_in_one),
            is_followed,
            ..self
        };
        let client = client.ordered(program, parts);
        let is_used = |it: &FunctionId| client.uses.contains(it);
        let locks = locking.iter().any(|it| is_used(it) && program.takes_stream(*it));
        leaves.retain(|it| is_used(it) && blocks.iter().any(is_used));
        (!client.uses.is_empty()).then(|| Attempt {
            client: Client {
                again: !waits,
                ..client
            },
            chose: chose && !trace.devices.contains(&Some(MANY)),
            ended,
            shares: shares && !waits,
            locks: locks && !waits,
            leaves,
        })
    }

    /// Every function in its place; what does nothing that anybody sees is left out, unless it builds.
    fn ordered(self, program: &Program, parts: Vec<(FunctionId, &[Event])>) -> Client {
        let consumes = |id: FunctionId| {
            let function = program.function(id);
            let kinds = function
                .params
                .iter()
                .filter_map(|it| kind_of(program, id, &it.ty, true));
            let kinds: Vec<Kind> = kinds.collect();
            parts.iter().any(|(other, own)| {
                let gives = *other != id && (program.takes_stream(*other) || !own.is_empty());
                gives && results_of(program, *other).any(|it| kinds.contains(&it))
            })
        };
        let mut uses = Vec::new();
        let (mut waits, mut ends, mut asks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut takes_back, mut is_set, mut works_in) = (false, false, false);
        for (id, own) in &parts {
            if self.opens.contains(id) {
                continue;
            }
            let streams = program.takes_stream(*id);
            let consumes = consumes(*id);
            if own.is_empty() && !streams && !consumes {
                continue;
            }
            if !streams && !consumes && only_waits(own) {
                waits.push(*id);
                continue;
            }
            if !consumes && gives_back(own) {
                ends.push(*id);
                continue;
            }
            takes_back |= streams && consumes;
            let mut params = program.function(*id).params.iter();
            let only = params
                .next_back()
                .filter(|_| params.len() <= self.handles(program, *id));
            is_set |= only.is_some() && streams && own.is_empty() && !program.asks_for_idle(*id);
            works_in |= streams && !own.is_empty();
            if !streams && only_asks(own) {
                asks.push(*id);
            }
            uses.push(*id);
        }
        // What takes something comes behind what gives it.
        uses.sort_by_key(|it| consumes(*it) && results_of(program, *it).next().is_none());
        let builds = self.builds.iter().copied();
        let builds = builds.filter(|it| ![&uses, &waits, &ends].iter().any(|used| used.contains(it)));
        Client {
            builds: builds.collect(),
            uses,
            asks,
            waits,
            ends,
            // Who says for every call which stream it is for orders these streams.
            changes_stream: self.lends && takes_back,
            sets_stream: is_set && !works_in,
            ..self
        }
    }
}
