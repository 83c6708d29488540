//! What a call loads: nothing, a barrier on the device, or a block of the host.

use super::{Blocked, Cause, DeviceOperation, Need, OperationId, Simulation, State};
use crate::order::EventRef;
use crate::trace::{Call, KernelUse, Load, WorkKind};

impl Simulation<'_> {
    /// Deals with what a call loads: nothing, a context barrier, or a host block.
    pub(super) fn load(&mut self, event: EventRef, call: &Call) -> Option<Blocked> {
        let open = self.open_on(call.device);
        let gate = match call.load.as_ref()? {
            Load::Kernel(kernel) => self.load_kernel(kernel, call),
            Load::Module { lazily } if *lazily && self.lazy => None,
            Load::Module { .. } => Some(Gate::Block(Cause::Load)),
            Load::Library(library) => self
                .libraries
                .insert(library.clone())
                .then_some(Gate::Block(Cause::Load)),
            Load::Unit(file) => {
                self.touched.insert(*file);
                None
            }
        };
        match gate? {
            Gate::Block(_) | Gate::Barrier(_) if open.is_empty() => None,
            Gate::Block(cause) => {
                let lock = !matches!(cause, Cause::LocalMemory(_));
                Some(Blocked {
                    until: open,
                    cause,
                    lock,
                })
            }
            Gate::Barrier(cause) => {
                self.put_barrier(event, cause, call.device, &open);
                None
            }
        }
    }

    fn load_kernel(&mut self, kernel: &KernelUse, call: &Call) -> Option<Gate> {
        let launches = call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel);
        let file = kernel.function.map(|it| it.file);
        let first_use = !self.loaded.iter().any(|it| it.may_be(kernel)) && self.lazy;
        self.loaded.insert(kernel.clone());
        let untouched = file.is_some_and(|it| self.touched.insert(it));
        let first_launch = launches && !self.launched.iter().any(|it| it.may_be(kernel));
        if launches {
            self.launched.insert(kernel.clone());
        }
        let heap = if launches { self.heap_setup(kernel) } else { None };
        let local = kernel
            .function
            .and_then(|it| self.program.kernel(it))
            .map_or(0, |it| it.local_bytes);
        // What one launch has made room for stays.
        let grows = local > self.local_memory;
        if launches {
            self.local_memory = self.local_memory.max(local);
        }
        if first_launch && grows {
            return Some(Gate::Block(Cause::LocalMemory(local)));
        }
        if first_use {
            let cause = Cause::FirstUse {
                kernel: kernel.clone(),
                blocks_host: untouched,
            };
            return Some(if untouched {
                Gate::Block(cause)
            } else {
                Gate::Barrier(cause)
            });
        }
        heap.map(Gate::Barrier)
    }

    /// The first launch of the process sets up the device heap when any loaded module can use it (M4), and so does the
    /// first launch of a kernel that uses it itself (M1).
    fn heap_setup(&mut self, kernel: &KernelUse) -> Option<Cause> {
        let first_launch = !std::mem::replace(&mut self.any_launch, true);
        let own = kernel
            .function
            .and_then(|it| Some((it, self.program.heap_use(it)?)));
        // `printf` and `assert` share a buffer; `malloc` and `new` use the heap.
        let first_of_user =
            own.is_some_and(|(_, uses)| self.prepared.insert(matches!(uses, "printf" | "assert")));
        let loaded = || self.touched.iter().find_map(|file| self.program.heap_user(*file));
        let (user, uses) = match (own, first_launch) {
            (Some(own), _) if first_launch || first_of_user => own,
            (None, true) => loaded()?,
            _ => return None,
        };
        let user = self
            .program
            .function(user)
            .path
            .last()
            .cloned()
            .unwrap_or_default();
        Some(Cause::Heap {
            user,
            uses: uses.to_owned(),
        })
    }

    fn put_barrier(&mut self, event: EventRef, cause: Cause, device: i64, open: &[OperationId]) {
        let barrier = DeviceOperation {
            event,
            work: None,
            barrier: Some(cause),
            stream: None,
            device,
            needs: open.iter().map(|it| (*it, Need::Drain)).collect(),
            state: State::Pending,
            releasers: Vec::new(),
        };
        self.operations.push(barrier);
        self.barriers.insert(device, self.operations.len() - 1);
    }
}

/// What a load does to the host or the device.
enum Gate {
    Block(Cause),
    Barrier(Cause),
}
