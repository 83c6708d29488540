//! From the walk of a kernel to its summary.

use std::collections::BTreeSet;

use super::super::FunctionId;
use super::conditions::exclude_each_other;
use super::release::{is_internal, passes_through, resets};
use super::symbols::{Kind, Strength, Sym, depends, export};
use super::waiting::{Exit, Wait, location, strength};
use super::walk::{Walker, Write};
use super::{
    Access, AwaitedPlace, Bound, DeviceScope, Handed, KernelSummary, LoadKind, Part, WaitLoop, arrivals,
    barriers, conditions,
};
use crate::facts::ir::{BinaryOp, Expr, Function, Name};

/// Walks the kernel and sorts what was found.
pub(super) fn summarise<'a>(
    scope: &'a dyn DeviceScope,
    id: FunctionId,
    arguments: &[Option<Name>],
    handed: &[Handed<'a>],
) -> KernelSummary {
    summary_of(Walker::new(scope, id, arguments, handed))
}

/// The same for an object that is called.
pub(super) fn summarise_callable(scope: &dyn DeviceScope, method: FunctionId) -> KernelSummary {
    summary_of(Walker::of_callable(scope, method))
}

fn summary_of(mut walker: Walker<'_>) -> KernelSummary {
    let kernel = walker.kernel;
    walker.block(&kernel.body);
    let frame = walker.frame();
    walker.summary.local_bytes = frame.most_bytes;
    let parts: Vec<_> = walker
        .writes
        .iter()
        .map(|write| walker.part(&write.loc, &write.path))
        .collect();
    let mut summary = std::mem::take(&mut walker.summary);
    let numbers: Vec<u32> = walker
        .writes
        .iter()
        .zip(parts)
        .map(|(write, part)| number_of(&mut summary.writes, export_write(write, part, kernel)))
        .collect();
    summary
        .barriers
        .extend(barriers::by_hand(&walker.waits, &walker.writes, kernel));
    for wait in &walker.waits {
        let mut exported = export_wait(wait, kernel);
        let internal = wait
            .exits
            .iter()
            .any(|exit| is_internal(wait, exit, &walker.writes, kernel));
        exported.bound = exported.bound.filter(|_| !internal);
        let (group, staged) = match (wait.bounded, internal) {
            (true, _) => (&mut summary.bounded_waits, vec![exported]),
            (false, true) => {
                exported.arrivals = arrivals::of(&walker, wait);
                let staged = match &exported.arrivals {
                    Some(_) => in_stages(&walker, wait, &exported, &numbers),
                    None => vec![exported],
                };
                (&mut summary.internal_waits, staged)
            }
            (false, false) => (&mut summary.waits, in_stages(&walker, wait, &exported, &numbers)),
        };
        for wait in staged {
            if !group.contains(&wait) {
                group.push(wait);
            }
        }
    }
    summary
}

/// The place of a write among those of the kernel, each of which is listed once.
fn number_of(writes: &mut Vec<Access>, write: Access) -> u32 {
    let known = writes.iter().position(|it| *it == write);
    let number = known.unwrap_or_else(|| {
        writes.push(write);
        writes.len() - 1
    });
    number as u32
}

/// A wait once for its first round and once for its last one, with what the kernel stores only after it.
fn in_stages(walker: &Walker<'_>, wait: &Wait, exported: &WaitLoop, numbers: &[u32]) -> Vec<WaitLoop> {
    let kernel = walker.kernel;
    if wait.session {
        return vec![exported.clone()];
    }
    let is_held = |write: &Write| {
        let synced = |at: &u32| (wait.serial_end..write.serial).contains(at);
        write.serial > wait.serial_end
            && (passes_through(wait, write) || walker.syncs.iter().any(synced))
            && !exclude_each_other(&wait.path, &write.path, kernel)
    };
    let resets: BTreeSet<u32> = walker
        .writes
        .iter()
        .zip(numbers)
        .filter(|(write, _)| resets(wait, write, &walker.writes))
        .map(|(_, number)| *number)
        .collect();
    let exported = &WaitLoop {
        resets: resets.into_iter().collect(),
        ..exported.clone()
    };
    let (mut held, mut free) = (BTreeSet::new(), BTreeSet::new());
    for (write, number) in walker.writes.iter().zip(numbers) {
        let group = if is_held(write) { &mut held } else { &mut free };
        group.insert(*number);
    }
    let held: Vec<u32> = held.difference(&free).copied().collect();
    if let [Exit { parts, .. }] = wait.exits.as_slice()
        && parts.len() > 1
    {
        // Each of the places must change.
        let part = |part: &Exit| WaitLoop {
            awaited: awaited(std::slice::from_ref(part), kernel),
            holds: held.clone(),
            ..exported.clone()
        };
        return parts.iter().map(part).collect();
    }
    let stages = walker.stages(wait).into_iter().filter_map(|stage| {
        let until = export_until(stage.until.as_ref(), kernel);
        let times = stage.times.as_ref().and_then(|it| export(it, kernel));
        // A last round that nothing is known of is like the first.
        if stage.last && until.is_none() {
            return None;
        }
        let mut awaited = exported.awaited.clone();
        if let [_] = wait.exits.as_slice() {
            awaited.iter_mut().for_each(|it| it.until.clone_from(&until));
        }
        Some(WaitLoop {
            awaited,
            times,
            last: stage.last,
            holds: if stage.last { Vec::new() } else { held.clone() },
            ..exported.clone()
        })
    });
    stages.collect()
}

/// The places that these ways out read, with what each asks of them, each once.
fn awaited(exits: &[Exit], kernel: &Function) -> Vec<AwaitedPlace> {
    let mut found: Vec<AwaitedPlace> = Vec::new();
    for exit in exits {
        for loc in exit.loads.iter().filter_map(location) {
            let awaited = AwaitedPlace {
                place: loc.export(kernel),
                until: export_until(exit.until.as_ref(), kernel),
            };
            if !found.contains(&awaited) {
                found.push(awaited);
            }
        }
    }
    found
}

fn export_until(until: Option<&(BinaryOp, Sym)>, kernel: &Function) -> Option<(BinaryOp, Expr)> {
    let (op, value) = until?;
    Some((*op, export(value, kernel)?))
}

fn export_wait(wait: &Wait, kernel: &Function) -> WaitLoop {
    let loads = || wait.exits.iter().flat_map(|exit| &exit.loads);
    let strong = loads().filter_map(strength).any(|it| it > Strength::Plain);
    let load = match (wait.reloads, wait.refreshes) {
        _ if strong => LoadKind::Fresh,
        (false, _) => LoadKind::Plain,
        (true, false) => LoadKind::Cached,
        (true, true) => LoadKind::Fresh,
    };
    WaitLoop {
        file: wait.file,
        span: wait.span,
        end: wait.end,
        awaited: awaited(&wait.exits, kernel),
        load,
        guards: conditions::guards(&wait.path, kernel),
        certain: !wait.path.iter().any(|it| depends(&it.sym, &is_data)),
        width: loads()
            .filter_map(location)
            .map(|loc| loc.ty.width())
            .next()
            .unwrap_or(0),
        times: None,
        session: wait.session,
        last: false,
        holds: Vec::new(),
        resets: Vec::new(),
        arrivals: None,
        bound: wait.bound.as_ref().map(|(clock, limit)| Bound {
            clock: *clock,
            limit: limit.as_ref().and_then(|limit| export(limit, kernel)),
        }),
    }
}

/// What is only known while the kernel runs.
fn is_data(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Load(_) | Kind::Local | Kind::Unknown(_) | Kind::Carried { .. } | Kind::Clock
    )
}

fn export_write(write: &Write, part: Part, kernel: &Function) -> Access {
    let value = write
        .value
        .as_ref()
        .filter(|value| !matches!(value.kind, Kind::Address(_)));
    Access {
        file: write.file,
        span: write.span,
        place: write.loc.export(kernel),
        atomic: write.atomic,
        value: value.and_then(|value| export(value, kernel)),
        // Only of what others may wait for does it matter whether a loop around it has a round.
        guards: match write.atomic || write.loc.ty.strength() > Strength::Plain {
            true => conditions::guards(&write.path, kernel),
            false => conditions::guards_in_loops(&write.path, kernel),
        },
        part,
        added: arrivals::added_by(write),
    }
}
