//! Functions whose CUDA calls no path reached: where execution begins when all entry points are done.

use std::collections::BTreeSet;

use super::{Outcome, Place};
use crate::api::Operation;
use crate::facts::ir::{Role, Target};
use crate::program::{CudaSite, FunctionId, Program};
use crate::syntax::FastMap;

/// What entry points reached, taken together.
#[derive(Default)]
pub(in crate::rules) struct Reached {
    /// Launches and CUDA calls; what another configuration of a file executes is executed there.
    sites: FastMap<Place, ()>,
    /// Functions that were executed.
    pub(super) executed: FastMap<FunctionId, ()>,
    /// Those of them that some entry point executed without being cut.
    pub(super) uncut: FastMap<FunctionId, ()>,
    /// Functions that another one than the beginning called.
    called: FastMap<FunctionId, ()>,
    /// Functions that were handed a stream that is not ordered with the default stream.
    handed_unordered: FastMap<FunctionId, ()>,
}

impl Reached {
    /// Further entry points.
    pub(in crate::rules) fn add(&mut self, program: &Program, parts: &[Outcome]) {
        for (entry, part) in parts.iter().map(|it| (it.entry, &*it.coverage)) {
            let sites = part.sites.iter();
            self.sites
                .extend(sites.map(|(file, start)| ((program.base_of(*file), *start), ())));
            self.executed.extend(part.executed.iter().map(|it| (*it, ())));
            let called = part.executed.iter().filter(|it| Some(**it) != entry);
            self.called.extend(called.map(|it| (*it, ())));
            if part.is_complete() {
                self.uncut.extend(part.executed.iter().map(|it| (*it, ())));
            }
            self.handed_unordered
                .extend(part.handed_unordered.iter().map(|it| (*it, ())));
        }
    }

    /// Functions that nothing executed and that lead to CUDA calls, those that no other of them calls.
    pub(in crate::rules) fn roots_of_unreached(&self, program: &Program) -> Vec<FunctionId> {
        let is_new = |it: &FunctionId| !self.executed.contains_key(it) && may_begin(program, *it);
        let holders = self.unexecuted(program).map(|it| it.function);
        let captures = program.capturing_functions().iter().copied();
        let mut leading: BTreeSet<FunctionId> = holders.chain(captures).filter(is_new).collect();
        let mut open: Vec<FunctionId> = leading.iter().copied().collect();
        while let Some(id) = open.pop() {
            let callers = program.callers(id).iter().copied();
            open.extend(callers.filter(|it| is_new(it) && leading.insert(*it)));
        }
        let is_root = |id: &FunctionId| {
            let mut callers = program.callers(*id).iter();
            !callers.any(|it| it != id && leading.contains(it))
        };
        leading.iter().copied().filter(is_root).collect()
    }

    /// Functions that make CUDA calls nothing executed, where another beginning can change that; `done` are beginnings already.
    pub(in crate::rules) fn holders_of_unreached(
        &self,
        program: &Program,
        done: &BTreeSet<FunctionId>,
    ) -> Vec<FunctionId> {
        let is_lost = |site: &&CudaSite| {
            let cut = !self.uncut.contains_key(&site.function) && stands_open(site);
            cut || !self.executed.contains_key(&site.function)
        };
        let lost = self.unexecuted(program).filter(is_lost);
        let holders: BTreeSet<FunctionId> = lost.map(|it| it.function).collect();
        let mut holders: Vec<FunctionId> = holders.into_iter().collect();
        holders.retain(|it| !done.contains(it) && may_begin(program, *it));
        holders
    }

    /// Functions some of whose CUDA calls nothing executed still, where what leads there may be left to be looked at: nobody has
    /// followed them to their end, or others may call them.
    pub(super) fn left_in(&self, program: &Program, folders: &BTreeSet<&str>) -> Vec<FunctionId> {
        let left = self.unexecuted(program).filter(|it| stands_open(it));
        let left: BTreeSet<FunctionId> = left.map(|it| it.function).collect();
        let is_open = |it: &FunctionId| {
            may_begin(program, *it)
                && (!self.uncut.contains_key(it) || !self.callers_are_seen(program, folders, *it))
        };
        left.into_iter().filter(is_open).collect()
    }

    /// Whether all callers of a function are seen, and hand it streams that are ordered with the default stream: nobody but its
    /// file can call it, or it belongs to a program or a test.
    pub(in crate::rules) fn callers_are_known(
        &self,
        program: &Program,
        folders: &BTreeSet<&str>,
        id: FunctionId,
    ) -> bool {
        let is_closed = || {
            program.function(id).internal
                || program.holds_program_start(id.file)
                || folders.contains(program.unit(id.file).folder())
        };
        self.called.contains_key(&id)
            && !self.handed_unordered.contains_key(&id)
            && is_closed()
            && self.executes_callers(program, id)
    }

    /// Whether what callers of a function do afterwards is seen: it belongs to a program whose `main` lies in one of these
    /// folders, and everybody who calls it was executed.
    pub(in crate::rules) fn callers_are_seen(
        &self,
        program: &Program,
        folders: &BTreeSet<&str>,
        id: FunctionId,
    ) -> bool {
        folders.contains(program.unit(id.file).folder()) && self.executes_callers(program, id)
    }

    fn executes_callers(&self, program: &Program, id: FunctionId) -> bool {
        let executed = |it: &FunctionId| self.executed.contains_key(it);
        // Another program of the project that has a function of that name does not call this one.
        let mut callers = program.callers(id).iter();
        executed(&id) && callers.all(|it| executed(it) || !program.can_see(it.file, id.file))
    }

    pub(super) fn executes(&self, site: &CudaSite) -> bool {
        self.sites.contains_key(&(site.function.file, site.start))
    }

    fn unexecuted<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = &'a CudaSite> {
        program.cuda_sites().iter().filter(|it| !self.executes(it))
    }
}

/// Whether paths of its function lead to a call by themselves: nobody knows when a lambda is called, and what went wrong is asked for
/// where something has.
fn stands_open(site: &CudaSite) -> bool {
    let asks = site.api.is_some_and(|it| it.operation == Operation::ErrorQuery);
    !asks && !site.in_lambda
}

pub(super) fn may_begin(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let on_host = matches!(function.target, Target::Host | Target::HostDevice);
    on_host && function.defined && function.role != Role::Macro && !program.is_model(id.file)
}
