//! Path exploration: an entry point is executed again for every combination of decisions worth taking.

use std::collections::{BTreeMap, BTreeSet};

use super::ahead::{Ahead, Decision};
use super::aims::Aims;
use super::clients::{self, Client, ClientTracing};
use super::coverage::{Coverage, Cut};
use super::lookups::Lookups;
use super::machine::{Machine, Names};
use super::memory::Value;
use super::protocol::{self, Protocol};
use super::results::{Expected, Made};
use super::stakes::Interests;
use super::{Action, Base, Location, Step, Trace, budget, turns};
use crate::facts::ir::{BinaryOp, Name, Role};
use crate::program::{ClassId, FileId, FunctionId, Program, Scope};
use crate::syntax::Span;

/// All paths of one entry point.
#[derive(Debug, Default)]
pub struct Tracing {
    /// One trace per path.
    pub traces: Vec<Trace>,
    /// The path budget was hit: there are paths nobody looked at.
    pub truncated: bool,
    /// What the paths reached, and where they were cut.
    pub coverage: Coverage,
    /// How many decisions every path, those nobody looked at as well, shares with one that was looked at.
    pub shared: Option<usize>,
}

impl Tracing {
    /// A path ends while a stream captures.
    fn leaves_capture_open(&self) -> bool {
        let captures = self.traces.iter().flat_map(|it| &it.notes.captures.all);
        captures.into_iter().any(|it| it.end.is_none())
    }
}

/// Objects that static and global variables lead to, at most.
const MOST_LASTING: usize = 256;

/// How often a pointer that was handed in is followed as it is moved on.
const MOST_MOVES: usize = 8;

/// How much may be spent on an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps over all its paths.
    steps: u32,
    paths: usize,
    care: Care,
}

/// What calls get of the steps of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// What they need.
    Whole,
    /// A part of what is left only, so that what stands behind them is reached.
    Fair,
    /// The same, of little: what is written in the function itself is to be reached, and decides which paths are looked at.
    Aimed,
}

impl Effort {
    /// What an entry point gets.
    pub fn of_entry(program: &Program, entry: FunctionId) -> Self {
        let (waiting, others) = program.entry_counts();
        match program.reaches_wait(entry) {
            true => Effort::of_waiting(waiting),
            false => Effort::of_others(budget::OTHER_PROGRAM_STEPS, others),
        }
    }

    /// What each kind of them gets in a program.
    pub fn all(program: &Program) -> [Self; 3] {
        let (waiting, others) = program.entry_counts();
        [
            Effort::of_waiting(waiting),
            Effort::of_others(budget::OTHER_PROGRAM_STEPS, others),
            Effort::of_unreached(program),
        ]
    }

    fn of_waiting(count: usize) -> Self {
        Effort {
            steps: share(budget::PROGRAM_STEPS, count).clamp(budget::LEAST_STEPS, budget::ENTRY_STEPS),
            paths: budget::PATHS,
            care: Care::Whole,
        }
    }

    /// What a function gets that is looked at for what it promises to whoever hands it a stream.
    pub const OF_PROMISE: Effort = Effort {
        steps: budget::PROMISE_STEPS,
        paths: budget::PROMISE_PATHS,
        care: Care::Whole,
    };

    /// What a client gets that nobody sees.
    pub const OF_CLIENT: Effort = Effort {
        steps: budget::CLIENT_STEPS,
        paths: budget::CLIENT_PATHS,
        care: Care::Whole,
    };

    /// What a function gets that no path from an entry point went through: however many of them there are.
    pub fn of_unreached(program: &Program) -> Self {
        let holders: BTreeSet<FunctionId> = program.cuda_sites().iter().map(|it| it.function).collect();
        Effort::of_others(budget::UNREACHED_PROGRAM_STEPS, holders.len())
    }

    fn of_others(all: u32, count: usize) -> Self {
        Effort {
            steps: share(all, count).clamp(budget::OTHER_LEAST_STEPS, budget::OTHER_ENTRY_STEPS),
            paths: budget::OTHER_PATHS,
            care: Care::Whole,
        }
    }

    /// Steps that one path may take.
    fn of_path(self) -> u32 {
        let part = match self.care {
            Care::Whole => self.steps,
            Care::Fair => self.steps / budget::FAIR_PATHS,
            Care::Aimed => self.steps / budget::AIMED_PATHS,
        };
        part.min(budget::STEPS)
    }

    /// Steps that one call of a function of the project may take.
    fn of_call(self) -> u32 {
        match self.care {
            Care::Whole | Care::Fair => u32::MAX,
            Care::Aimed => self.of_path() / budget::AIMED_CALLS,
        }
    }

    fn is_fair(self) -> bool {
        self.care != Care::Whole
    }

    /// The same for what a function does by itself.
    pub fn fair(self) -> Self {
        Effort {
            care: Care::Fair,
            ..self
        }
    }

    /// The same for the launches and CUDA calls that are written in a function.
    pub fn aimed(self) -> Self {
        Effort {
            steps: self.steps.saturating_mul(budget::AIMED_STEPS),
            paths: budget::PATHS,
            care: Care::Aimed,
        }
    }
}

/// What each of so many gets. They are counted roughly: one more or less seldom changes what all others get.
fn share(steps: u32, count: usize) -> u32 {
    let eighth = count.max(1).next_power_of_two() / 16;
    let roughly = count.max(1).next_multiple_of(eighth.max(1));
    steps / u32::try_from(roughly).unwrap_or(u32::MAX)
}

/// Executes an entry point along every path within budget.
pub fn trace_entry(program: &Program, entry: FunctionId, effort: Effort) -> Tracing {
    let can_wait = program.reaches_wait(entry);
    let protocol = can_wait
        .then(|| protocol::of_entry(program, entry, effort.steps.min(budget::STEPS)))
        .flatten();
    let has_protocol = protocol.is_some();
    let plan = Plan {
        script: protocol.map_or(Script::Call, Script::Protocol),
        effort,
        can_wait,
    };
    let tracing = explore(program, entry, &plan);
    if has_protocol || !tracing.leaves_capture_open() {
        return tracing;
    }
    match protocol::of_capture(program, entry) {
        Some(protocol) => {
            let script = Script::Protocol(protocol);
            explore(program, entry, &Plan { script, ..plan })
        }
        None => tracing,
    }
}

/// Executes what clients do with the interface that a function of [`Program::interfaces`] stands for.
pub fn trace_clients(program: &Program, key: FunctionId, effort: Effort) -> Vec<ClientTracing> {
    let clients = clients::of_interface(program, key, effort.steps.min(budget::STEPS));
    let explored = clients.into_iter().map(|client| ClientTracing {
        records: client.records(),
        is_daring: client.is_daring(),
        tracing: explore_client(program, key, client, effort),
    });
    explored.collect()
}

/// Executes two calls of a function with other memory of the caller's, in one stream or each with a stream of its own.
pub fn trace_two_calls(program: &Program, function: FunctionId, in_one_stream: bool) -> Tracing {
    let client = clients::of_two_calls(function, in_one_stream);
    explore_client(program, function, client, Effort::OF_CLIENT)
}

fn explore_client(program: &Program, key: FunctionId, client: Client, effort: Effort) -> Tracing {
    let plan = Plan {
        script: Script::Client(Box::new(client)),
        effort,
        can_wait: false,
    };
    explore(program, key, &plan)
}

/// How an entry point is executed.
#[derive(Clone)]
struct Plan {
    script: Script,
    effort: Effort,
    can_wait: bool,
}

/// What is called.
#[derive(Clone)]
enum Script {
    /// The entry point.
    Call,
    Protocol(Protocol),
    Client(Box<Client>),
}

fn explore(program: &Program, entry: FunctionId, plan: &Plan) -> Tracing {
    let most = plan.effort.paths;
    let (mut effort, mut limit) = (plan.effort, plan.effort.steps);
    let can_wait = plan.can_wait;
    let mut aims = (effort.care == Care::Aimed).then(|| Aims::of(program, entry));
    let mut tracing = Tracing::default();
    let mut ahead = Ahead::default();
    let mut decisions: Vec<Decision> = Vec::new();
    let (mut interests, mut lookups) = (Interests::default(), Lookups::default());
    let mut steps = 0;
    let mut told_apart = BTreeSet::new();
    let mut makings = 0;
    // The program is started with nothing but its name.
    let mut bare = false;
    loop {
        let mut failing = BTreeMap::new();
        let (trace, asks_how_started) = loop {
            let path = Path {
                decisions: decisions.clone(),
                interests: std::mem::take(&mut interests),
                lookups: std::mem::take(&mut lookups),
                coverage: std::mem::take(&mut tracing.coverage),
                failing: std::mem::take(&mut failing),
                told_apart: told_apart.clone(),
                bare,
            };
            let machine = path.execute(program, entry, (&plan.script, effort));
            let open = machine.open;
            interests = machine.interests;
            lookups = machine.lookups;
            tracing.coverage = machine.coverage;
            steps += machine.steps;
            // One call has taken all there is: it begins again, and each gets its part.
            if tracing.traces.is_empty() && machine.trace.stopped && !effort.is_fair() {
                effort = effort.fair();
                limit = steps.saturating_add(limit / 2);
                // What nobody judges does not count as reached.
                tracing.coverage = Coverage::default();
                continue;
            }
            // Where the constructor throws there is no object: the other side of what it asked last is the way on.
            if let Some(last) = machine.unmade
                && tracing.traces.is_empty()
                && steps < limit
                && makings < budget::MAKINGS
            {
                makings += 1;
                decisions = machine.decisions;
                decisions.truncate(last + 1);
                decisions[last].taken = !decisions[last].taken;
                tracing.coverage = Coverage::default();
                continue;
            }
            // A function ends the process behind a branch with a side that returns from it: that is the way on.
            // So is each side of one that was taken to make no calls, and made some.
            let apart = &open | &machine.busy;
            if tracing.traces.is_empty() && steps < limit && !apart.is_subset(&told_apart) {
                told_apart.extend(apart);
                continue;
            }
            // What the path insists on having failed, it is executed again without.
            let Expected {
                failing: known,
                asserted,
                ..
            } = machine.expected;
            if asserted.keys().all(|it| known.contains_key(it)) || steps > limit {
                decisions = machine.decisions;
                break (machine.trace, machine.asks_how_started);
            }
            failing = known;
            failing.extend(asserted);
        };
        tracing.traces.push(trace);
        match bare {
            true => bare = false,
            false => ahead.note(decisions),
        }
        if asks_how_started && tracing.traces.len() == 1 {
            (bare, decisions) = (true, Vec::new());
            continue;
        }
        if ahead.has_only_passes() && reached_all(program, entry, &tracing.coverage) {
            return tracing;
        }
        if let Some(aims) = &mut aims {
            aims.note(&tracing.coverage);
        }
        let Some(next) = ahead.next(aims.as_ref()) else {
            return tracing;
        };
        decisions = next;
        let idle = can_wait
            && tracing.traces.len() >= budget::IDLE_PATHS
            && !tracing.traces.iter().any(Trace::has_waits)
            && (tracing.traces.len() >= budget::OTHER_PATHS
                || reached_all(program, entry, &tracing.coverage));
        let is_there = aims.as_ref().is_some_and(Aims::are_done);
        let spent = [
            (tracing.traces.len() >= most || is_there, Cut::Paths),
            (steps > limit, Cut::EntrySteps),
            (idle, Cut::IdlePaths),
        ];
        let cuts = spent.iter().filter(|(spent, _)| *spent).map(|(_, cut)| *cut);
        tracing.coverage.cuts.extend(cuts);
        if spent.iter().any(|(spent, _)| *spent) {
            tracing.truncated = true;
            tracing.shared = ahead.first_open();
            return tracing;
        }
    }
}

/// Whether every launch and CUDA call was executed of the functions of a file that an entry point went through.
fn reached_all(program: &Program, entry: FunctionId, coverage: &Coverage) -> bool {
    let sites = program.cuda_sites().iter();
    let mut own = sites.filter(|it| it.function.file == entry.file);
    own.all(|it| {
        !coverage.executed.contains(&it.function) || coverage.sites.contains(&(it.function.file, it.start))
    })
}

/// A path that is to be executed: what is decided beforehand, and what earlier ones found out.
struct Path {
    decisions: Vec<Decision>,
    interests: Interests,
    lookups: Lookups,
    coverage: Coverage,
    failing: BTreeMap<Made, bool>,
    told_apart: BTreeSet<(FileId, u32)>,
    bare: bool,
}

/// What an executed path leaves.
struct Executed {
    trace: Trace,
    decisions: Vec<Decision>,
    interests: Interests,
    lookups: Lookups,
    coverage: Coverage,
    expected: Expected,
    asks_how_started: bool,
    steps: u32,
    /// Branches of the function that ended the process with a side that left it.
    open: BTreeSet<(FileId, u32)>,
    /// Branches that were taken to make no events, with a side that made some.
    busy: BTreeSet<(FileId, u32)>,
    /// The last decision before the object whose method is looked at could not be made.
    unmade: Option<usize>,
}

impl Path {
    fn execute(self, program: &Program, entry: FunctionId, (script, effort): (&Script, Effort)) -> Executed {
        std::thread::scope(|scope| {
            let mut machine = Machine::new(program, entry, self.decisions);
            machine.turns.stacks = Some(turns::stacks(scope));
            machine.interests = self.interests;
            machine.lookups = self.lookups;
            machine.coverage = self.coverage;
            machine.limit = effort.of_path();
            machine.fair = effort.is_fair();
            machine.most_of_call = effort.of_call();
            machine.expected.failing = self.failing;
            machine.told_apart = self.told_apart;
            machine.start.bare = self.bare;
            machine.trace.bare = self.bare;
            run(&mut machine, entry, script);
            Executed {
                open: machine.open_before_end(entry),
                busy: machine.busy_branches,
                unmade: machine.unmade,
                trace: machine.trace,
                decisions: machine.decisions,
                interests: machine.interests,
                lookups: machine.lookups,
                coverage: machine.coverage,
                expected: machine.expected,
                asks_how_started: machine.start.asked,
                steps: machine.steps,
            }
        })
    }
}

fn run(machine: &mut Machine<'_>, entry: FunctionId, script: &Script) {
    machine.enter_entry(entry);
    match script {
        Script::Protocol(protocol) => {
            protocol::run(machine, protocol);
        }
        Script::Client(client) => {
            clients::run(machine, client);
        }
        Script::Call => {
            let args = machine.unknown_arguments(entry);
            let this = machine.made_object(entry);
            machine.trace.notes.promise.begin = machine.position();
            if machine.program.is_main(entry) {
                machine.construct_globals(entry);
            }
            let fixture = machine.fixture(entry);
            let span = machine.program.function(entry).name_span;
            if let Some((object, class)) = &fixture {
                machine.construct(object, *class, Vec::new(), span);
                machine.call_if_there(object, *class, "SetUp", span);
            }
            let this = this.or_else(|| fixture.clone());
            let object = this.as_ref().map(|it| it.0.clone());
            let result = machine.invoke(entry, this, args, span);
            if fixture.is_none() && !machine.program.is_main(entry) {
                machine.note_kept_graphs(result, object);
            }
            if let Some((object, class)) = fixture.filter(|_| !machine.exited) {
                machine.call_if_there(&object, class, "TearDown", span);
                machine.destroy(&object, class, span);
            }
        }
    }
    machine.leave_scope(machine.program.function(entry).span);
    machine.run_all_pending();
    machine.note_answered_times();
    machine.note_dormant_lambdas();
    machine.close_guards();
    machine.note_handed_in();
    machine.tell_further_apart();
    machine.control.frames.pop();
}

impl<'p> Machine<'p> {
    /// Branches of the function that ended the process with a side that left it and was not followed.
    fn open_before_end(&self, entry: FunctionId) -> BTreeSet<(FileId, u32)> {
        let Some(ending) = self.ended_by.filter(|it| self.exited && *it != entry) else {
            return BTreeSet::new();
        };
        let span = self.program.function(ending).span;
        let inside =
            |(file, at): &&(FileId, u32)| *file == ending.file && span.start <= *at && *at < span.end;
        self.open_branches.iter().filter(inside).copied().collect()
    }

    /// The object a method is called on when nobody knows how it was made.
    fn unknown_object(&mut self, entry: FunctionId) -> Option<(Location, ClassId)> {
        let function = self.program.function(entry);
        let is_member = matches!(function.role, Role::Method | Role::Constructor | Role::Destructor);
        let class = (is_member && !self.program.is_static(entry))
            .then(|| self.program.class_of_method(entry))
            .flatten()?;
        let object = self.memory.local();
        self.entry_object = Some(object.base);
        self.memory.classes.insert(object.clone(), class);
        Some((object, class))
    }

    /// The object a method is called on: what a constructor of its class leaves, or what hands its objects out.
    fn made_object(&mut self, entry: FunctionId) -> Option<(Location, ClassId)> {
        let (mut object, class) = self.unknown_object(entry)?;
        if self.program.function(entry).role == Role::Method
            && let Some(maker) = self.program.called_to_make(class)
        {
            let streams = self.trace.notes.promise.streams.len();
            let args = self.unknown_arguments(maker);
            self.trace.notes.promise.streams.truncate(streams);
            let span = self.program.function(entry).name_span;
            let (patience, ended_by) = (self.control.patience, self.ended_by);
            let decided = self.next_decision;
            self.control.patience = patience.min(self.steps + self.limit / 2);
            object = self.make_by(maker, args, (object, class), span);
            self.entry_object = Some(object.base);
            self.control.patience = patience;
            if self.exited || self.control.throwing {
                // The object is there: it was made some other way.
                self.unmade = self.next_decision.checked_sub(1).filter(|it| *it >= decided);
                self.exited = false;
                self.ended_by = ended_by;
                self.control.throwing = false;
                self.control.thrown = None;
                let made = self.unknown_object(entry)?;
                self.note_member_streams(&made.0, class);
                return Some(made);
            }
            self.forget_what_methods_set(&object, class, entry);
        }
        self.note_member_streams(&object, class);
        Some((object, class))
    }

    /// Numbers that other methods give to members, and elements they put into them, may be there before this one is called.
    fn forget_what_methods_set(&mut self, object: &Location, class: ClassId, entry: FunctionId) {
        let fields = &self.program.class(class).fields;
        for field in fields.iter().filter(|it| !it.is_static) {
            let place = self.member(object, class, &field.name);
            if let Some(Value::Int(known)) = self.memory.get(&place)
                && self.program.is_set_by_others(class, entry, &field.name, *known)
            {
                self.memory.lose(place.clone(), false);
            }
            let is_whole = self.memory.lengths.get(&place) == Some(&0) || self.object_at(&place).is_some();
            if is_whole && self.program.is_filled_by_others(class, entry, &field.name) {
                self.forget_numbers_in(&place);
            }
            if let Some(Value::Pointer(owned)) = self.memory.get(&place) {
                let owned = owned.clone();
                self.forget_what_others_set(&owned, 0);
            }
        }
    }

    /// Numbers in a member that is an object, and that there is nothing in its containers.
    fn forget_numbers_in(&mut self, place: &Location) {
        let numbers = self.memory.under(place);
        let numbers = numbers.filter(|(_, it)| matches!(it, Value::Int(_)));
        let numbers: Vec<Location> = numbers.map(|it| it.0.clone()).collect();
        for number in numbers {
            self.memory.lose(number, false);
        }
        self.memory.forget_emptiness(place);
    }

    /// The object whose members a test body uses: `TEST_F(Fixture, …)`, `TEST_CASE_METHOD(Fixture, …)`.
    fn fixture(&mut self, entry: FunctionId) -> Option<(Location, ClassId)> {
        let function = self.program.function(entry);
        if function.role != Role::Test {
            return None;
        }
        let (_, arguments) = function.path.last()?.split_once('(')?;
        let class = arguments.split([',', ')']).find_map(|it| {
            let path = it.trim().split("::").map(str::to_owned).collect();
            let name = Name {
                path,
                template_args: Vec::new(),
                owner_args: Vec::new(),
            };
            self.program.resolve_class(self.scope(), &name)
        })?;
        let object = self.memory.local();
        self.memory.classes.insert(object.clone(), class);
        Some((object, class))
    }

    /// Streams an object has that its constructor does not make are the caller's.
    fn note_member_streams(&mut self, object: &Location, class: ClassId) {
        for field in self.program.stream_fields(class) {
            let place = object.field(field);
            let value = self.memory.load(&place);
            let value = match value {
                Value::Aggregate(_) => self.converted(value, "cudaStream_t", Span::default()),
                _ => value,
            };
            if let Value::Unknown(id) = value {
                self.handed_names.entry(id).or_insert_with(|| field.to_owned());
                self.handed_in
                    .entry(id)
                    .or_insert(self.trace.streams.len() as u32);
                self.trace.notes.promise.members.push(field.to_owned());
            }
        }
    }

    /// What the caller's pointers lead to.
    fn note_handed_in(&mut self) {
        self.forget_null_streams();
        self.note_carried_stream();
        let promise = &self.trace.notes.promise;
        if !promise.streams.is_empty() || !promise.members.is_empty() {
            let memory = self.memory.handed_in.iter().map(|it| Base::Outside(*it));
            let mut memory: BTreeSet<Base> = memory.collect();
            let used = self.trace.threads.iter().flat_map(|it| &it.events);
            let used = used.filter_map(|it| match &it.action {
                Action::Call(call) => call.work.as_ref(),
                _ => None,
            });
            let accesses = used.flat_map(|it| &it.accesses);
            let used: BTreeSet<Base> = accesses.map(|it| it.location.base).collect();
            let leads = |it: &&Base| matches!(it, Base::Outside(id) if self.leads_from_handed(*id));
            memory.extend(used.iter().filter(leads));
            // Of the streams of an object others know more.
            if !self.trace.notes.promise.streams.is_empty() {
                self.trace.notes.promise.events = self.kept_events();
                self.trace.notes.promise.lasting = &self.lasting(&used) - &memory;
            }
            self.trace.notes.promise.memory = memory;
        }
    }

    /// Events in members, in static and global variables, and in what the caller handed in; and those that were found there.
    fn kept_events(&self) -> BTreeSet<super::EventId> {
        let is_kept =
            |it: &Location| !matches!(it.base, Base::Local(_)) || Some(it.base) == self.entry_object;
        let all = self.trace.events.keys().copied();
        let held = all.filter(|it| self.memory.places_of(&Value::Event(*it)).any(is_kept));
        let found = self.event_of_unknown.values().copied();
        held.chain(found).collect()
    }

    /// Static and global variables that hold something or are `used`, and what pointers in them lead to: a pointer in a table that
    /// is chosen from leads to what may be another one the next time.
    fn lasting(&self, used: &BTreeSet<Base>) -> BTreeSet<Base> {
        let is_shared = |it: &Base| match it.global() {
            Some(id) => !self.program.global(id).variable.per_thread,
            None => !self.own_of_thread.contains(it),
        };
        let mut found: BTreeSet<Base> = BTreeSet::new();
        let mut open: Vec<Base> = self.memory.variables_of_all();
        open.extend(used.iter().filter(|it| it.global().is_some()));
        open.retain(is_shared);
        while let Some(base) = open.pop() {
            if found.len() == MOST_LASTING || !found.insert(base) {
                continue;
            }
            for (place, value) in self.memory.cells_of(Location::object(base)) {
                let is_chosen = |it: &Step| matches!(it, Step::At(_) | Step::Any);
                let target = match value {
                    Value::Pointer(target) if !target.path.iter().any(is_chosen) => target.base,
                    Value::Unknown(id) => Base::Outside(*id),
                    _ => continue,
                };
                if !place.path.iter().any(is_chosen) {
                    open.push(target);
                }
            }
        }
        found
    }

    /// Whether an unknown pointer is one that was handed in, moved on by numbers: `in + first * n`.
    fn leads_from_handed(&self, pointer: u32) -> bool {
        let mut at = pointer;
        for _ in 0..MOST_MOVES {
            match self.memory.definition(at) {
                Some((BinaryOp::Add | BinaryOp::Subtract, Value::Unknown(left), _)) => at = *left,
                _ => break,
            }
            if self.memory.handed_in.contains(&at) {
                return true;
            }
        }
        false
    }

    /// Where a stream that is handed in is null, the default stream is the caller's.
    fn forget_null_streams(&mut self) {
        let null = |id: &u32| self.truth(&Value::Unknown(*id)) == Some(false);
        let handed = self.handed_in.keys();
        let names: Vec<String> = handed
            .filter(|it| null(it))
            .filter_map(|it| self.handed_names.get(it).cloned())
            .collect();
        let promise = &mut self.trace.notes.promise;
        promise.streams.retain(|it| !names.contains(it));
        promise.members.retain(|it| !names.contains(it));
        if promise.streams.is_empty() {
            promise.forgotten.clear();
        }
    }

    fn call_if_there(&mut self, object: &Location, class: ClassId, method: &str, span: Span) {
        if let Some(function) = self.program.resolve_method(class, method, 0) {
            self.invoke(function, Some((object.clone(), class)), Vec::new(), span);
        }
    }

    /// The frame an entry point is called from.
    pub(super) fn enter_entry(&mut self, entry: FunctionId) {
        let path = &self.program.function(entry).path;
        self.enter_outermost(Scope {
            file: entry.file,
            path,
        });
    }

    /// The frame that nobody called.
    pub(super) fn enter_outermost(&mut self, scope: Scope<'p>) {
        self.control.frames.push(super::machine::Frame {
            file: scope.file,
            path: scope.path,
            function: None,
            this: None,
            class: None,
            scopes: vec![Names::default()],
            call_site: None,
            template: BTreeMap::new(),
            pack: None,
            textual: BTreeMap::new(),
            transparent: false,
            author: None,
            quiet: false,
            link: false,
            early: Vec::new(),
            early_before: super::joins::LeftBefore::default(),
            outlasting: self.control.outlasting.len(),
            guards: Vec::new(),
            asked: self.asked,
            handed: None,
            answered: self.answered,
            given: 0,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, share, trace_entry};
    use crate::facts;
    use crate::program::{Program, SourceUnit};
    use crate::syntax::{Defines, collect_macros};

    /// One call that takes all that is followed of a path, and launches something in its midst.
    const LONG_CALL: &str = "
        __global__ void shift(int *values, int by) { *values += by; }
        __global__ void mark(int *values) { *values = 1; }
        static void step(int *values, int by, cudaStream_t stream) {
            if (by + 1 > by) shift<<<1, 1, 0, stream>>>(values, by);
            if (by - 1 < by) shift<<<1, 1, 0, stream>>>(values, -by);
            shift<<<1, 1, 0, stream>>>(values, 1);
        }
        static void warm_up(int *values, cudaStream_t stream) {
            for (int i = 0; i < 8; ++i)
                for (int k = 0; k < 8; ++k) step(values, i * k, stream);
            mark<<<1, 1, 0, stream>>>(values);
        }
        static void train(int *values, cudaStream_t stream) {
            warm_up(values, stream);
            warm_up(values, stream);
            warm_up(values, stream);
            warm_up(values, stream);
            warm_up(values, stream);
            for (int epoch = 0; epoch < 8; ++epoch) {
                warm_up(values, stream);
                warm_up(values, stream);
            }
        }
        void total(int *values, cudaStream_t stream) {
            train(values, stream);
            step(values, 1, stream);
            step(values, 2, stream);
            step(values, 3, stream);
            cudaStreamSynchronize(stream);
        }";

    #[test]
    fn what_counts_as_reached_is_judged() {
        let macros = collect_macros(LONG_CALL.as_bytes());
        let program = Program::link(vec![SourceUnit {
            path: "long.cu".into(),
            bytes: LONG_CALL.as_bytes().into(),
            facts: facts::extract(LONG_CALL.as_bytes(), &Defines::for_cuda(13_000), &macros).into(),
            ..SourceUnit::default()
        }]);
        let named = |name: &str| {
            let mut all = program.functions();
            let is_it = |path: &[String]| path.last().is_some_and(|it| it == name);
            all.find(|it| is_it(&it.1.path)).expect("it is there").0
        };
        let entry = named("total");
        let tracing = trace_entry(&program, entry, Effort::of_entry(&program, entry));
        let events = tracing
            .traces
            .iter()
            .flat_map(|it| &it.threads)
            .flat_map(|it| &it.events);
        let judged: std::collections::BTreeSet<_> = events
            .filter_map(|it| it.site.path().last().map(|it| (it.0, it.1.start)))
            .collect();
        assert!(!tracing.coverage.is_complete());
        assert!(tracing.coverage.sites.is_subset(&judged));
    }

    #[test]
    fn one_entry_point_more_seldom_changes_what_the_others_get() {
        let shares = (400..600).map(|count| share(4_000_000, count));
        let differ: std::collections::BTreeSet<u32> = shares.collect();
        assert!(differ.len() < 10, "{differ:?}");
        for count in 0..5000 {
            let (exact, rough) = (4_000_000 / count.max(1), share(4_000_000, count as usize));
            assert!(
                rough <= exact && f64::from(rough) >= 0.85 * f64::from(exact),
                "{count}: {rough} of {exact}"
            );
        }
    }
}
