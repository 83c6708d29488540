//! What a call loads: nothing, a barrier on the device, or a block of the host.

use std::collections::BTreeSet;

use super::{Blocked, Cause, DeviceOperation, LOCAL_MEMORY_BYTES, Need, OperationId, Simulation, State};
use crate::api::Lock;
use crate::order::EventRef;
use crate::trace::{Call, DeviceId, KernelUse, Load, WorkKind};

impl Simulation<'_> {
    /// Deals with what a call loads: nothing, a context barrier, or a host block.
    pub(super) fn load(&mut self, event: EventRef, call: &Call) -> Option<Blocked> {
        let device = self.trace.device_of(call);
        let open = self.open_on(device);
        let gate = match call.load.as_ref()? {
            Load::Kernel(kernel) => self.load_kernel(kernel, call),
            Load::Module { lazily } if *lazily && self.lazy => None,
            Load::Module { .. } => Some(Gate::Block(Cause::Load)),
            Load::Library(library) => self
                .libraries
                .insert((device, library.clone()))
                .then_some(Gate::Block(Cause::Load)),
            Load::Unit(file) => {
                self.touched.insert((device, *file));
                None
            }
        };
        match gate? {
            Gate::Block(_) | Gate::Barrier(_) if open.is_empty() => None,
            Gate::Block(cause) => {
                let lock = match cause {
                    Cause::LocalMemory(_) => Lock::None,
                    _ => Lock::All,
                };
                Some(Blocked {
                    until: open,
                    cause,
                    lock,
                })
            }
            Gate::Barrier(cause) => {
                self.put_barrier(event, cause, device, &open);
                None
            }
        }
    }

    /// Whether a call has something to load that it would load alone.
    pub(super) fn loads_alone(&self, load: &Load, call: &Call) -> bool {
        let device = self.trace.device_of(call);
        match load {
            Load::Kernel(kernel) => {
                let is_loaded = |it: &(DeviceId, KernelUse)| it.0 == device && it.1.may_be(kernel);
                self.lazy && !self.loaded.iter().any(is_loaded)
            }
            Load::Module { lazily } => !*lazily || !self.lazy,
            Load::Library(library) => !self.libraries.contains(&(device, library.clone())),
            Load::Unit(_) => false,
        }
    }

    fn load_kernel(&mut self, kernel: &KernelUse, call: &Call) -> Option<Gate> {
        let launches = call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel);
        let file = kernel.function.map(|it| it.file);
        let device = self.trace.device_of(call);
        let among = |all: &BTreeSet<(DeviceId, KernelUse)>| {
            all.iter().any(|(of, it)| *of == device && it.may_be(kernel))
        };
        let first_use = !among(&self.loaded) && self.lazy;
        let untouched = file.is_some_and(|it| self.touched.insert((device, it)));
        let first_launch = launches && !among(&self.launched);
        self.loaded.insert((device, kernel.clone()));
        if launches {
            self.launched.insert((device, kernel.clone()));
        }
        let heap = if launches {
            self.heap_setup(kernel, device)
        } else {
            None
        };
        let local = kernel
            .function
            .and_then(|it| self.program.kernel(it))
            .map_or(0, |it| it.local_bytes);
        // What one launch has made room for stays.
        let room = self.local_memory.entry(device).or_insert(LOCAL_MEMORY_BYTES);
        let grows = local > *room;
        if launches {
            *room = local.max(*room);
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
    fn heap_setup(&mut self, kernel: &KernelUse, device: DeviceId) -> Option<Cause> {
        let first_launch = self.set_up.insert(device);
        let own = kernel
            .function
            .and_then(|it| Some((it, self.program.heap_use(it)?)));
        // `printf` and `assert` share a buffer; `malloc` and `new` use the heap.
        let first_of_user = own.is_some_and(|(_, uses)| {
            self.prepared
                .insert((device, matches!(uses, "printf" | "assert")))
        });
        let loaded = || {
            let touched = self.touched.iter().filter(|it| it.0 == device);
            touched.into_iter().find_map(|it| self.program.heap_user(it.1))
        };
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

    fn put_barrier(&mut self, event: EventRef, cause: Cause, device: DeviceId, open: &[OperationId]) {
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
