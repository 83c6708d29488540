//! Summaries of kernels: one for each, and one for each set of classes a launch puts in for template parameters.

use std::sync::OnceLock;

use super::kernels::{self, Handed, KernelSummary};
use super::reads::{self, Reads};
use super::{FunctionId, Program};
use crate::facts::ir::Name;

/// Instances of one kernel that are told apart; further ones are taken for the template itself.
const INSTANCES: usize = 32;

/// What one kernel does, worked out when somebody asks.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    generic: OnceLock<(KernelSummary, Reads)>,
    first: OnceLock<Box<Instance>>,
}

/// The kernel with what its template parameters stand for; the next instance hangs on it.
#[derive(Debug)]
struct Instance {
    arguments: Vec<Option<Name>>,
    /// The lambdas it is handed, told apart by where they are kept.
    handed: Vec<(u32, usize)>,
    summary: OnceLock<(KernelSummary, Reads)>,
    next: OnceLock<Box<Instance>>,
}

impl Summaries {
    /// What was read for what is known so far.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Reads> {
        let instances = std::iter::successors(self.first.get(), |it| it.next.get());
        let instances = instances.filter_map(|it| it.summary.get());
        self.generic.get().into_iter().chain(instances).map(|it| &it.1)
    }

    /// Forgets the instances: lambdas they were handed are told apart by where they are kept.
    pub(super) fn forget_instances(&mut self) {
        self.first = OnceLock::new();
    }
}

impl Program {
    /// Whether somebody asked what a kernel does.
    pub(super) fn is_summarised(&self, id: FunctionId) -> bool {
        self.summaries
            .get(&id)
            .is_some_and(|it| it.generic.get().is_some())
    }

    /// What a kernel does; `None` when it has no visible body.
    pub fn kernel(&self, id: FunctionId) -> Option<&KernelSummary> {
        reads::note_function(id);
        let summaries = self.summaries.get(&id)?;
        let summarise = || reads::of(|| kernels::summarise(self, id, &[], &[]));
        Some(&summaries.generic.get_or_init(summarise).0)
    }

    /// What an object does that the device calls by this `operator()`: behind its parameters, the object is one more.
    pub fn callable(&self, id: FunctionId) -> Option<&KernelSummary> {
        reads::note_function(id);
        let summaries = self.callables.get(&id)?;
        let summarise = || reads::of(|| kernels::summarise_callable(self, id));
        Some(&summaries.generic.get_or_init(summarise).0)
    }

    /// What a kernel does when its template parameters stand for these classes and functions, and it is handed these
    /// lambdas.
    pub fn kernel_instance<'a>(
        &'a self,
        id: FunctionId,
        arguments: &[Option<Name>],
        handed: &[Handed<'a>],
    ) -> Option<&'a KernelSummary> {
        let generic = self.kernel(id)?;
        if !generic.dependent || arguments.iter().all(Option::is_none) && handed.is_empty() {
            return Some(generic);
        }
        let identity = |it: &Handed<'_>| (it.parameter, std::ptr::from_ref(it.lambda).addr());
        let identities: Vec<(u32, usize)> = handed.iter().map(identity).collect();
        let mut slot = &self.summaries.get(&id)?.first;
        for _ in 0..INSTANCES {
            let instance = slot.get_or_init(|| {
                Box::new(Instance {
                    arguments: arguments.to_vec(),
                    handed: identities.clone(),
                    summary: OnceLock::new(),
                    next: OnceLock::new(),
                })
            });
            if instance.arguments == arguments && instance.handed == identities {
                let summarise = || reads::of(|| kernels::summarise(self, id, arguments, handed));
                return Some(&instance.summary.get_or_init(summarise).0);
            }
            slot = &instance.next;
        }
        Some(generic)
    }

    /// What is known of a kernel: the template itself, and the instances that were asked for.
    pub fn kernel_summaries(&self, id: FunctionId) -> impl Iterator<Item = &KernelSummary> {
        let first = self.summaries.get(&id).and_then(|it| it.first.get());
        let instances = std::iter::successors(first, |it| it.next.get());
        let instances = instances.filter_map(|it| Some(&it.summary.get()?.0));
        self.kernel(id).into_iter().chain(instances)
    }
}
