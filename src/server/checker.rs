//! The thread that checks: the newest request is what counts, and one that is running stops for it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use serde_json::{Value, json};

use super::Event;
use super::documents::Documents;
use super::settings::Settings;
use super::target::{Answer, Target, Trouble};
use super::transport::Client;
use crate::project::fix::{Change, Permission, fix_in};
use crate::project::guard::guarded;
use crate::project::{Session, Stop};

/// What there is to check, as it was at one moment.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub targets: BTreeMap<String, Target>,
    pub documents: Documents,
    pub settings: Arc<Settings>,
}

/// A check that is wanted.
#[derive(Clone)]
pub(super) struct Check {
    /// Later ones have higher numbers.
    pub number: u64,
    /// When to begin, unless a newer one comes before.
    pub due: Instant,
    /// Names of the targets whose answers may have changed.
    pub targets: BTreeSet<String>,
    pub snapshot: Snapshot,
    /// Documents that were edited since the last answer: what is found in them is wanted first.
    pub edited: BTreeSet<PathBuf>,
    /// Say how far it is.
    pub progress: bool,
    pub stop: Stop,
}

/// Safe fixes of one document that are wanted.
pub(super) struct Fixing {
    /// The request to answer.
    pub id: Value,
    /// How to answer it.
    pub shape: Shape,
    pub address: String,
    pub target: String,
    pub snapshot: Snapshot,
    pub stop: Stop,
}

/// What the answer to a request for fixes is.
pub(super) enum Shape {
    /// A list with this action, completed.
    List(Value),
    /// This action, completed.
    Action(Value),
}

/// What came of it.
pub(super) type Fixes = Result<Vec<(String, Change)>, Trouble>;

/// The thread, and what it is to do.
pub(super) struct Checker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    check: Option<Check>,
    fixing: VecDeque<Fixing>,
    /// Stops what runs.
    running: Option<(Running, Stop)>,
    /// Files to read again.
    forget: Vec<PathBuf>,
    closed: bool,
}

enum Running {
    Check(u64),
    Fixing(Value),
}

enum Work {
    Check(Check),
    Fixing(Fixing),
}

impl Checker {
    /// Starts the thread; what it finds comes as events.
    pub fn new(events: Sender<Event>, client: Client) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            wake: Condvar::new(),
        });
        let theirs = Arc::clone(&shared);
        let work = move || {
            let mut worker = Worker {
                shared: theirs,
                events,
                client,
                threads: None,
                sessions: BTreeMap::new(),
            };
            while let Some(work) = worker.next() {
                worker.run(work);
            }
        };
        let thread = std::thread::Builder::new().name("checker".to_owned()).spawn(work);
        Checker {
            shared,
            thread: thread.ok(),
        }
    }

    /// Whether there is a thread to do it.
    pub fn is_there(&self) -> bool {
        self.thread.is_some()
    }

    /// Wants a check, instead of the one that runs or waits.
    pub fn check(&self, check: Check) {
        let mut state = self.shared.lock();
        if let Some((_, stop)) = &state.running {
            stop.ask();
        }
        state.check = Some(check);
        self.shared.wake.notify_one();
    }

    /// Wants fixes; a check that runs makes room and begins again.
    pub fn fix(&self, fixing: Fixing) {
        let mut state = self.shared.lock();
        if let Some((Running::Check(_), stop)) = &state.running {
            stop.ask();
        }
        state.fixing.push_back(fixing);
        self.shared.wake.notify_one();
    }

    /// Gives up a request; `true` when it was waiting and will have no answer.
    pub fn cancel_fixing(&self, id: &Value) -> bool {
        let mut state = self.shared.lock();
        if let Some((Running::Fixing(running), stop)) = &state.running
            && running == id
        {
            stop.ask();
        }
        let before = state.fixing.len();
        state.fixing.retain(|it| it.id != *id);
        state.fixing.len() < before
    }

    /// Gives up a check.
    pub fn cancel_check(&self, number: u64) {
        let mut state = self.shared.lock();
        if let Some((Running::Check(running), stop)) = &state.running
            && *running == number
        {
            stop.ask();
        }
        state.check.take_if(|it| it.number == number);
    }

    /// Reads these files again in the next check.
    pub fn forget(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.shared.lock().forget.extend(paths);
    }

    /// Stops what runs, and waits for it.
    pub fn close(mut self) {
        {
            let mut state = self.shared.lock();
            state.closed = true;
            if let Some((_, stop)) = &state.running {
                stop.ask();
            }
            self.shared.wake.notify_one();
        }
        // Work that does not look at the clock ends with the process.
        if let Some(thread) = self.thread.take()
            && thread.is_finished()
        {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker {
    shared: Arc<Shared>,
    events: Sender<Event>,
    client: Client,
    /// Whose threads all sessions use, and how many were asked for.
    threads: Option<(usize, Session)>,
    sessions: BTreeMap<String, Session>,
}

impl Worker {
    /// Waits for something to do; `None` in the end.
    fn next(&mut self) -> Option<Work> {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        state.running = None;
        loop {
            if state.closed {
                return None;
            }
            let forget = std::mem::take(&mut state.forget);
            self.sessions.values().for_each(|it| it.forget(&forget));
            if let Some(fixing) = state.fixing.pop_front() {
                state.running = Some((Running::Fixing(fixing.id.clone()), fixing.stop.clone()));
                return Some(Work::Fixing(fixing));
            }
            let Some(due) = state.check.as_ref().map(|it| it.due) else {
                state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero()
                && let Some(check) = state.check.take()
            {
                state.running = Some((Running::Check(check.number), check.stop.clone()));
                return Some(Work::Check(check));
            }
            let waited = shared.wake.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn run(&mut self, work: Work) {
        match work {
            Work::Check(check) => self.check(check),
            Work::Fixing(fixing) => self.fix(fixing),
        }
    }

    fn check(&mut self, check: Check) {
        let snapshot = &check.snapshot;
        self.sessions
            .retain(|name, _| snapshot.targets.contains_key(name));
        let (client, events) = (self.client.clone(), self.events.clone());
        let progress = Progress::begin(&check, &client);
        for name in &check.targets {
            let Some(target) = snapshot.targets.get(name) else {
                continue;
            };
            let answer = self.session(name, &snapshot.settings).and_then(|session| {
                let (events, number, of) = (events.clone(), check.number, name.clone());
                let edited = check.edited.clone();
                let first = move |answer| {
                    let _ = events.send(Event::First {
                        number,
                        target: of.clone(),
                        answer: Box::new(answer),
                        paths: edited.clone(),
                    });
                };
                let (documents, settings) = (&snapshot.documents, &snapshot.settings);
                let first = (check.edited.clone(), first);
                let check = || target.check(documents, settings, session, &check.stop, first);
                guarded(check).unwrap_or_else(|panic| Err(internal(&panic)))
            });
            if check.stop.is_asked() {
                break;
            }
            let event = Event::Answered {
                number: check.number,
                target: name.clone(),
                answer,
            };
            let _ = self.events.send(event);
        }
        drop(progress);
        if check.stop.is_asked() {
            self.put_back(check);
        } else {
            let _ = self.events.send(Event::Done { number: check.number });
        }
    }

    /// A check that made room for fixes is still wanted.
    fn put_back(&self, check: Check) {
        let mut state = self.shared.lock();
        if !state.fixing.is_empty() && state.check.is_none() {
            state.check = Some(Check {
                stop: Stop::default(),
                ..check
            });
        }
    }

    fn fix(&mut self, fixing: Fixing) {
        let fixes = self.fixes(&fixing);
        let Fixing {
            id, shape, snapshot, ..
        } = fixing;
        let _ = self.events.send(Event::Fixed {
            id,
            shape,
            documents: snapshot.documents,
            fixes,
        });
    }

    /// What `cudalint check --fix` would make of a document.
    fn fixes(&mut self, fixing: &Fixing) -> Fixes {
        let snapshot = &fixing.snapshot;
        let Some(target) = snapshot.targets.get(&fixing.target) else {
            return Ok(Vec::new());
        };
        let mut project = target.discover(&snapshot.documents, &snapshot.settings)?;
        let addresses = target.addresses(&project.files, &snapshot.documents);
        for file in &mut project.files {
            file.reported &= addresses.get(&file.shown) == Some(&fixing.address);
        }
        let session = self.session(&fixing.target, &snapshot.settings)?;
        let fix = || fix_in(session, &project, false, Permission::Safe, &fixing.stop);
        let fixed = guarded(fix).unwrap_or_else(|panic| {
            self.client.log(&panic);
            Ok(crate::project::fix::Fixed::default())
        })?;
        let changes = fixed.files.into_iter();
        Ok(changes
            .filter_map(|(shown, change)| Some((addresses.get(&shown)?.clone(), change)))
            .collect())
    }

    fn session(&mut self, name: &str, settings: &Settings) -> Result<&Session, Trouble> {
        if self
            .threads
            .as_ref()
            .is_none_or(|(jobs, _)| *jobs != settings.jobs)
        {
            self.sessions.clear();
            self.threads = Some((settings.jobs, Session::once(settings.jobs)?));
        }
        let Some((_, threads)) = &self.threads else {
            return Err(Trouble::Stopped);
        };
        let session = self.sessions.entry(name.to_owned());
        Ok(session.or_insert_with(|| threads.beside()))
    }
}

fn internal(panic: &str) -> Trouble {
    Trouble::Other(format!("internal error (please report): {panic}"))
}

/// What the editor shows while a check runs; over when it is dropped.
struct Progress<'a> {
    token: Option<String>,
    client: &'a Client,
}

impl<'a> Progress<'a> {
    fn begin(check: &Check, client: &'a Client) -> Self {
        let token = check.progress.then(|| token(check.number));
        let progress = Progress { token, client };
        if let Some(token) = &progress.token {
            let create = json!({"token": token});
            client.request(token, "window/workDoneProgress/create", create);
            progress.say(
                json!({"kind": "begin", "title": "cudalint", "message": "checking", "cancellable": true}),
            );
        }
        progress
    }

    fn say(&self, value: Value) {
        if let Some(token) = &self.token {
            self.client
                .notify("$/progress", json!({"token": token, "value": value}));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.say(json!({"kind": "end"}));
    }
}

/// The name of a check in progress, for the client.
fn token(number: u64) -> String {
    format!("cudalint/check/{number}")
}

/// The check a client means by a token.
pub(super) fn number_of(token: &Value) -> Option<u64> {
    token.as_str()?.strip_prefix("cudalint/check/")?.parse().ok()
}

/// One answer, or why there is none.
pub(super) type Answered = Result<Answer, Trouble>;
