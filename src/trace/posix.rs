//! Threads of POSIX and of C: mutexes, condition variables, barriers, semaphores.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::{Action, Location};
use crate::facts::ir::Expr;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// A call of the thread library; `None` when it is none that orders anything.
    pub(super) fn posix_call(&mut self, name: &str, args: &'p [Expr], span: Span) -> Option<Value> {
        match name {
            "pthread_create" | "thrd_create" => self.create_posix_thread(name, args, span)?,
            "pthread_join" | "thrd_join" => {
                let args = self.arguments(args);
                if let Some(Value::Thread(thread)) = args.first().map(|it| &it.value) {
                    self.join(*thread, span);
                }
            }
            "pthread_mutex_lock" | "mtx_lock" => {
                let mutex = self.first_place(args)?;
                self.emit(span, Action::Lock(mutex));
            }
            "pthread_mutex_unlock" | "mtx_unlock" => {
                let mutex = self.first_place(args)?;
                self.emit(span, Action::Unlock(mutex));
            }
            "pthread_cond_wait" | "cnd_wait" => {
                let places: Vec<Location> = self.arguments(args).iter().filter_map(place_of).collect();
                let [condition, mutex] = <[Location; 2]>::try_from(places).ok()?;
                self.emit(span, Action::Unlock(mutex.clone()));
                self.host_wait(vec![condition], None, span);
                self.emit(span, Action::Lock(mutex));
            }
            "pthread_cond_signal" | "pthread_cond_broadcast" | "cnd_signal" | "cnd_broadcast" => {
                let condition = self.first_place(args)?;
                self.emit_arrival(condition, span);
            }
            "pthread_barrier_wait" => {
                let barrier = self.first_place(args)?;
                self.arrive(&barrier, true, span);
            }
            "sem_init" => {
                let args = self.arguments(args);
                let semaphore = place_of(args.first()?)?;
                let count = args.get(2)?.value.clone();
                self.memory.semaphores.insert(semaphore.clone());
                self.memory.set(semaphore, count);
            }
            "sem_wait" => {
                let semaphore = self.first_place(args)?;
                self.acquire(&semaphore, span);
            }
            "sem_post" => {
                let semaphore = self.first_place(args)?;
                self.emit_arrival(semaphore, span);
            }
            _ => return None,
        }
        Some(Value::Int(0))
    }

    fn create_posix_thread(&mut self, name: &str, args: &'p [Expr], span: Span) -> Option<()> {
        let mut args = self.arguments(args);
        if name == "pthread_create" && args.len() > 1 {
            args.remove(1);
        }
        let [handle, body, data] = <[Argument; 3]>::try_from(args).ok()?;
        let thread = self.spawn(vec![body, data], span);
        if let Some(place) = self.pointee(&handle.value) {
            self.memory.set(place, thread);
        }
        Some(())
    }

    fn first_place(&mut self, args: &'p [Expr]) -> Option<Location> {
        self.arguments(args).first().and_then(place_of)
    }
}

fn place_of(argument: &Argument) -> Option<Location> {
    match &argument.value {
        Value::Pointer(place) => Some(place.clone()),
        _ => None,
    }
}
