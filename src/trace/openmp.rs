//! OpenMP: a parallel region is a team of host threads that execute the same statements.

use super::machine::{Flow, Machine};
use super::memory::Value;
use super::{Action, Location, ThreadId, Write};
use crate::facts::ir::{Expr, Stmt, StmtKind};
use crate::syntax::Span;

/// Threads of a team whose size is not known.
const USUAL_TEAM: i64 = 2;

/// Threads of a team that are followed.
const LARGEST_TEAM: i64 = 4;

/// Iterations of a shared loop that are dealt out.
const MAX_SHARED_ITERATIONS: i64 = 8;

/// Where a thread stands in its team.
#[derive(Clone, Debug)]
pub(super) struct Member {
    index: i64,
    size: i64,
    /// Barriers passed.
    barriers: u32,
    /// Names the team.
    team: Location,
    /// Tasks it made and nobody waited for.
    tasks: Vec<ThreadId>,
}

impl<'p> Machine<'p> {
    /// A directive with the statement it applies to.
    pub(super) fn openmp(&mut self, directive: &str, body: &'p [Stmt], span: Span) -> Flow {
        let words: Vec<&str> = directive
            .split(|it: char| !it.is_alphanumeric() && it != '_')
            .filter(|it| !it.is_empty())
            .collect();
        let has = |word: &str| words.contains(&word);
        if has("target") || has("simd") && !has("for") {
            return self.block(body);
        }
        if words.first() == Some(&"parallel") {
            return self.parallel(directive, &words, body, span);
        }
        let Some(index) = self.control.team.last().map(|it| it.index) else {
            return self.block(body);
        };
        let waits_at_end = !has("nowait");
        match words.first().copied().unwrap_or_default() {
            "barrier" => self.team_barrier(span),
            "taskwait" => self.wait_for_tasks(span),
            "critical" => return self.critical(&words, body, span),
            "task" => self.task(body, span),
            "master" | "masked" => {
                if index == 0 {
                    return self.block(body);
                }
            }
            "single" => {
                let flow = if index == 0 { self.block(body) } else { Flow::Next };
                if waits_at_end && flow == Flow::Next {
                    self.wait_for_tasks(span);
                    self.team_barrier(span);
                }
                return flow;
            }
            "sections" => {
                self.sections(body);
                if waits_at_end {
                    self.team_barrier(span);
                }
            }
            "for" => {
                let flow = self.shared_loop(body);
                if waits_at_end && flow == Flow::Next {
                    self.team_barrier(span);
                }
                return flow;
            }
            _ => return self.block(body),
        }
        if self.exited { Flow::Stop } else { Flow::Next }
    }

    /// Executes a region once for every thread of its team; the encountering thread is the first of them.
    fn parallel(&mut self, directive: &str, words: &[&str], body: &'p [Stmt], span: Span) -> Flow {
        let sections = words.contains(&"sections");
        let size = self
            .team_size(directive)
            .unwrap_or(if sections { section_count(body) } else { USUAL_TEAM })
            .clamp(1, LARGEST_TEAM);
        let team = self.memory.local();
        let threads: Vec<ThreadId> = (1..size).map(|_| self.new_thread()).collect();
        for thread in &threads {
            self.emit(span, Action::Spawn(*thread));
        }
        let mut leaves = Flow::Next;
        for index in 0..size {
            self.control.team.push(Member {
                index,
                size,
                barriers: 0,
                team: team.clone(),
                tasks: Vec::new(),
            });
            let share = |machine: &mut Self| {
                let flow = if sections {
                    machine.sections(body);
                    Flow::Next
                } else if words.contains(&"for") {
                    machine.shared_loop(body)
                } else {
                    machine.block(body)
                };
                machine.wait_for_tasks(span);
                flow
            };
            let flow = if index == 0 {
                share(self)
            } else {
                self.as_thread(threads[index as usize - 1], share)
            };
            self.control.team.pop();
            if self.exited {
                return Flow::Stop;
            }
            if index == 0 {
                leaves = flow;
            }
        }
        for thread in threads {
            self.emit(span, Action::Join(thread));
        }
        leaves
    }

    fn team_size(&mut self, directive: &str) -> Option<i64> {
        let (_, rest) = directive.split_once("num_threads")?;
        let written = rest.trim_start().strip_prefix('(')?.split(')').next()?.trim();
        if let Ok(size) = written.parse() {
            return Some(size);
        }
        let name = crate::facts::ir::Name::plain(written);
        let held = self.lookup(written).map(|it| self.load(&it));
        match held {
            Some(Value::Int(size)) => Some(size),
            Some(_) => None,
            None => self.program.constant_value(self.scope(), &name),
        }
    }

    /// `omp_get_thread_num` and its like; `None` when it is none of them.
    pub(super) fn openmp_call(&mut self, name: &str) -> Option<Value> {
        let member = self.control.team.last();
        Some(match name {
            "omp_get_thread_num" => Value::Int(member.map_or(0, |it| it.index)),
            "omp_get_num_threads" => Value::Int(member.map_or(1, |it| it.size)),
            "omp_in_parallel" => Value::Int(i64::from(member.is_some())),
            _ => return None,
        })
    }

    /// Every thread stores that it is there, and waits for every other one.
    fn team_barrier(&mut self, span: Span) {
        let Some(member) = self.control.team.last_mut() else {
            return;
        };
        let (index, size, round, team) = (member.index, member.size, member.barriers, member.team.clone());
        member.barriers += 1;
        let arrival = |thread: i64| team.field(&format!("{round}.{thread}"));
        self.emit_arrival(arrival(index), span);
        for other in (0..size).filter(|it| *it != index) {
            self.host_wait(vec![arrival(other)], None, span);
        }
    }

    /// A store that only other host threads wait for.
    pub(super) fn emit_arrival(&mut self, location: Location, span: Span) {
        let at = self.at(span);
        *self.arrivals.entry(location.clone()).or_default() += 1;
        self.emit(
            span,
            Action::Store(Write {
                location: location.clone(),
                range: false,
                value: None,
                least: None,
                at,
                guess: false,
                after_wait: false,
                added: None,
            }),
        );
        self.let_awaiting_go_on(&location);
    }

    fn critical(&mut self, words: &[&str], body: &'p [Stmt], span: Span) -> Flow {
        let Some(team) = self.control.team.first().map(|it| it.team.clone()) else {
            return self.block(body);
        };
        let mutex = team.field(words.get(1).copied().unwrap_or("critical"));
        self.emit(span, Action::Lock(mutex.clone()));
        let flow = self.block(body);
        self.emit(span, Action::Unlock(mutex));
        flow
    }

    /// A task may be executed by any thread of the team that is free.
    fn task(&mut self, body: &'p [Stmt], span: Span) {
        let thread = self.new_thread();
        self.emit(span, Action::Spawn(thread));
        self.as_thread(thread, |machine| machine.block(body));
        if let Some(member) = self.control.team.last_mut() {
            member.tasks.push(thread);
        }
    }

    fn wait_for_tasks(&mut self, span: Span) {
        let tasks = self
            .control
            .team
            .last_mut()
            .map(|it| std::mem::take(&mut it.tasks));
        for thread in tasks.into_iter().flatten() {
            self.emit(span, Action::Join(thread));
        }
    }

    /// Sections are dealt out to the threads of the team in turn.
    fn sections(&mut self, body: &'p [Stmt]) {
        let Some((index, size)) = self.control.team.last().map(|it| (it.index, it.size)) else {
            return;
        };
        for (number, section) in sections_of(body).into_iter().enumerate() {
            if number as i64 % size == index && !self.exited {
                self.block(section);
            }
        }
    }

    /// Iterations are dealt out to the threads of the team in turn.
    fn shared_loop(&mut self, body: &'p [Stmt]) -> Flow {
        let Some((index, size)) = self.control.team.last().map(|it| (it.index, it.size)) else {
            return Flow::Next;
        };
        let [
            Stmt {
                kind:
                    StmtKind::Loop {
                        init,
                        condition,
                        step,
                        body: inner,
                        ..
                    },
                span,
            },
        ] = body
        else {
            return self.block(body);
        };
        self.enter_scope();
        self.statements(init);
        let mut flow = Flow::Next;
        for iteration in 0..MAX_SHARED_ITERATIONS {
            if !self.goes_on(condition.as_ref(), iteration) || self.exited {
                break;
            }
            if iteration % size == index {
                flow = self.block(inner);
                if !matches!(flow, Flow::Next | Flow::Continue) {
                    break;
                }
                flow = Flow::Next;
            }
            if let Some(step) = step {
                self.evaluate(step);
            }
        }
        self.leave_scope(*span);
        flow
    }

    /// Whether a loop has another iteration; one whose end is not known has one for every thread.
    fn goes_on(&mut self, condition: Option<&'p Expr>, iteration: i64) -> bool {
        let value = condition.map_or(Value::Int(1), |it| self.evaluate(it));
        self.truth(&value).unwrap_or(iteration < USUAL_TEAM)
    }
}

/// The sections of a construct; statements before the first directive are one.
fn sections_of(body: &[Stmt]) -> Vec<&[Stmt]> {
    let inner = match body {
        [
            Stmt {
                kind: StmtKind::Block(inner),
                ..
            },
        ] => inner.as_slice(),
        _ => body,
    };
    let mut sections = Vec::new();
    for statement in inner {
        match &statement.kind {
            StmtKind::OpenMp { directive, body } if directive.trim_start().starts_with("section") => {
                sections.push(body.as_slice());
            }
            _ => sections.push(std::slice::from_ref(statement)),
        }
    }
    sections
}

fn section_count(body: &[Stmt]) -> i64 {
    i64::try_from(sections_of(body).len()).unwrap_or(USUAL_TEAM)
}
