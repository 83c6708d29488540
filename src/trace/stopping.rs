//! `std::stop_token`: a flag between a thread and who asks it to stop.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::{Location, ThreadId};
use crate::facts::ir::{Expr, Parameter, Role};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// `std::jthread`: its callee is handed a token where it takes one, and its end asks it to stop.
    pub(super) fn spawn_stoppable(&mut self, mut args: Vec<Argument>, span: Span) -> Value {
        let flag = self.stop_flag();
        if let Some(at) = args.first().and_then(|it| self.token_position(&it.value))
            && at <= args.len()
        {
            args.insert(
                at,
                Argument::unplaced(Value::Pointer(flag.clone()), String::new()),
            );
        }
        let thread = self.spawn(args, span);
        if let Value::Thread(id) = thread {
            self.joining.insert(id);
            self.stops.insert(id, flag);
        }
        thread
    }

    /// A flag that nobody has set.
    fn stop_flag(&mut self) -> Location {
        let flag = self.memory.local();
        self.memory.set(flag.clone(), Value::Int(0));
        self.memory.shared.insert(flag.clone());
        flag
    }

    /// Where a callable takes a token: first, or behind the object it is called for.
    fn token_position(&self, callee: &Value) -> Option<usize> {
        let is_token = |params: &[Parameter]| {
            let first = params.first();
            first.is_some_and(|it| it.ty.name.last() == "stop_token")
        };
        match callee {
            Value::Closure(index) => is_token(&self.closures[*index as usize].lambda.params).then_some(1),
            Value::Function(function, _) => {
                let definition = self.program.function(*function);
                let is_method = definition.role == Role::Method && !self.program.is_static(*function);
                is_token(&definition.params).then_some(if is_method { 2 } else { 1 })
            }
            _ => None,
        }
    }

    /// Methods of stop tokens, their sources, and of threads that have one.
    pub(super) fn stop_method(
        &mut self,
        place: &Location,
        held: Option<&Value>,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let flag = match held {
            Some(Value::Pointer(flag)) => flag.clone(),
            Some(Value::Thread(thread)) => self.stops.get(thread)?.clone(),
            _ => place.field("stop"),
        };
        match (method, args) {
            ("stop_requested", []) => {
                self.memory.shared.insert(flag.clone());
                Some(self.load(&flag))
            }
            ("request_stop", []) => {
                // Only the first request is one.
                let before = self.memory.get(&flag).cloned();
                self.request_stop(&flag, span);
                Some(match before {
                    Some(before) => self.memory.negate(before),
                    None => self.memory.fresh(),
                })
            }
            ("get_token" | "get_stop_token", []) => {
                if self.memory.get(&flag).is_none() {
                    self.memory.set(flag.clone(), Value::Int(0));
                    self.memory.shared.insert(flag.clone());
                }
                Some(Value::Pointer(flag))
            }
            _ => None,
        }
    }

    /// Sets the flag, and runs what was registered for that.
    fn request_stop(&mut self, flag: &Location, span: Span) {
        self.memory.shared.insert(flag.clone());
        self.store(flag, Value::Int(1), span);
        for callee in self.stop_callbacks.remove(flag).unwrap_or_default() {
            self.invoke_value(&callee, Vec::new(), span);
        }
    }

    /// The end of a thread's owner asks it to stop.
    pub(super) fn stop_dropped(&mut self, thread: ThreadId, span: Span) {
        if let Some(flag) = self.stops.get(&thread).cloned() {
            self.request_stop(&flag, span);
        }
    }

    /// `std::stop_callback cb(token, callee)`.
    pub(super) fn register_stop_callback(&mut self, args: Vec<Argument>) {
        let mut args = args.into_iter().map(|it| it.value);
        if let (Some(Value::Pointer(flag)), Some(callee)) = (args.next(), args.next()) {
            self.stop_callbacks.entry(flag).or_default().push(callee);
        }
    }
}
