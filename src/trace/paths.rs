//! Path exploration: an entry point is executed again for every combination of decisions worth taking.

use std::collections::BTreeMap;

use super::calls::Argument;
use super::machine::{Decision, Machine, Names};
use super::{Trace, budget};
use crate::facts::ir::Role;
use crate::program::{FunctionId, Program};

/// All paths of one entry point.
#[derive(Debug, Default)]
pub struct Tracing {
    /// One trace per path.
    pub traces: Vec<Trace>,
    /// The path budget was hit: there are paths nobody looked at.
    pub truncated: bool,
}

/// Executes an entry point along every path within budget.
pub fn trace_entry(program: &Program, entry: FunctionId) -> Tracing {
    let mut tracing = Tracing::default();
    let mut decisions: Vec<Decision> = Vec::new();
    let share = budget::PROGRAM_STEPS / u32::try_from(program.entry_count().max(1)).unwrap_or(u32::MAX);
    let limit = share.clamp(budget::LEAST_STEPS, budget::ENTRY_STEPS);
    let mut interests = BTreeMap::new();
    let mut steps = 0;
    loop {
        let mut machine = Machine::new(program, entry, decisions);
        machine.interests = interests;
        machine.limit = limit.min(budget::STEPS);
        run(&mut machine, entry);
        decisions = machine.decisions;
        interests = machine.interests;
        steps += machine.steps;
        tracing.traces.push(machine.trace);
        if !advance(&mut decisions) {
            return tracing;
        }
        let idle = tracing.traces.len() >= budget::IDLE_PATHS && !tracing.traces.iter().any(Trace::has_waits);
        if tracing.traces.len() >= budget::PATHS || steps > limit || idle {
            tracing.truncated = true;
            return tracing;
        }
    }
}

/// The next combination, depth first; `false` when there is none.
fn advance(decisions: &mut Vec<Decision>) -> bool {
    while let Some(last) = decisions.last_mut() {
        if last.both {
            *last = Decision {
                taken: !last.taken,
                both: false,
            };
            return true;
        }
        decisions.pop();
    }
    false
}

fn run(machine: &mut Machine<'_>, entry: FunctionId) {
    let program = machine.program;
    let function = program.function(entry);
    machine.frames.push(super::machine::Frame {
        file: entry.file,
        path: &function.path,
        function: None,
        this: None,
        class: None,
        scopes: vec![Names::default()],
        call_site: None,
        template: BTreeMap::new(),
        pack: None,
        transparent: false,
    });
    let args: Vec<Argument> = function
        .params
        .iter()
        .map(|parameter| Argument {
            value: machine.memory.fresh(),
            place: None,
            words: parameter.name.clone(),
        })
        .collect();
    let this = match function.role {
        Role::Method | Role::Constructor | Role::Destructor if !function.is_static => {
            machine.class_of_method(entry).map(|class| {
                let object = machine.memory.local();
                machine.memory.classes.insert(object.clone(), class);
                (object, class)
            })
        }
        _ => None,
    };
    machine.invoke(entry, this, args, function.name_span);
    machine.run_all_pending();
    machine.frames.pop();
}
