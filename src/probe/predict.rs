//! What `rules/api.toml` says a case will do; the reports say where a machine does something else.

use super::capture::{Call, Strictness};
use super::cases::{Form, Held, Release};
use super::operations::{On, Operation, Trait};
use super::scenes::Scene;
use crate::api::{self, Blocking, Capture, Direction, Loading, Operation as Kind, Preload};
use crate::verify::Mode;

/// The call returns, and what is behind it runs.
pub const OK: &str = "ok";

/// The call does not return before the release.
pub const BLOCKS: &str = "BLOCKS";

/// The call returns, but the release takes no effect.
pub const LATE: &str = "late";

/// `BLOCKS` or `late`: it was measured that nothing goes on, not why.
pub const HANG: &str = "hang";

/// Whether what was seen is what was expected.
pub fn agrees(seen: &str, expected: &str) -> bool {
    seen == expected
        || (expected == HANG && [BLOCKS, LATE].contains(&seen))
        || (!expected.contains(" / ") && seen.split(" / ").next() == Some(expected))
}

/// What an operation does in a situation.
pub fn operation(operation: &Operation, form: Form, mode: Mode) -> &'static str {
    let calls = || {
        operation
            .calls
            .iter()
            .filter_map(|(name, on)| Some((api::lookup(name)?, *on)))
    };
    let is_blocked = calls().any(|(call, on)| blocks(call, on, operation, form, mode));
    if is_blocked || operation.is(Trait::Local) || operation.is(Trait::Queue) {
        return BLOCKS;
    }
    let is_first = operation.is(Trait::Fresh)
        && mode == Mode::Lazy
        && calls().any(|(call, _)| call.loads == Loading::Function);
    let is_barrier = is_first || operation.is(Trait::Heap) || operation.is(Trait::Barrier);
    let waits_for_held = |(call, on): (&api::Call, On)| {
        let joins_streams = call.operation == Kind::StreamWaitEvent;
        joins_streams || (on == On::Legacy && form.blocking && call.is_enqueue())
    };
    let works_on_other = calls().any(|(call, on)| on == On::Other && call.is_enqueue());
    let is_ordered = calls().any(waits_for_held);
    match form.release {
        Release::Host => OK,
        Release::HostAfterSync if works_on_other && (is_barrier || is_ordered) => LATE,
        Release::Device if is_barrier || is_ordered => LATE,
        Release::HostAfterSync | Release::Device => OK,
    }
}

/// Whether a call waits for what is held.
fn blocks(call: &api::Call, on: On, operation: &Operation, form: Form, mode: Mode) -> bool {
    let reaches_held = on == On::Resident || (on == On::Legacy && form.blocking);
    let by_itself = match call.blocks {
        Blocking::None => false,
        Blocking::Device => !operation.is(Trait::Pooled),
        Blocking::StackLimit => operation.is(Trait::Stack),
        Blocking::Stream | Blocking::Event => reaches_held,
        Blocking::Legacy => form.blocking,
        Blocking::LegacyCopy => form.blocking && call.direction != Direction::DeviceToDevice,
        Blocking::PageableToHost => {
            reaches_held && operation.is(Trait::Pageable) && call.direction != Direction::HostToDevice
        }
    };
    // The staging buffer of pageable copies is a fact about sizes, which the table of calls does not know.
    let overflows = operation.is(Trait::Large) && on == On::Resident;
    let loads = match call.loads {
        Loading::Module | Loading::Library => true,
        Loading::EagerModule => mode == Mode::Eager,
        Loading::None | Loading::Function | Loading::Symbol => false,
    };
    by_itself || overflows || loads
}

/// What a scene does, where the table of calls says so: which calls leave a kernel loaded.
pub fn scene(scene: &Scene, mode: Mode) -> Option<String> {
    if scene.held == Held::Wait || scene.call.is_empty() {
        return None;
    }
    let loads = api::lookup(scene.call).is_some_and(|it| it.preloads != Preload::No);
    let done = if loads || mode == Mode::Eager { OK } else { LATE };
    Some(done.to_owned())
}

/// What a call does while a stream captures.
pub fn capture(call: &Call, strictness: Strictness) -> Option<String> {
    let known = api::lookup(call.api)?;
    let is_refused = match known.capture {
        _ if call.on == On::Legacy => strictness == Strictness::GlobalBlocking,
        Capture::Prohibited => call.on != On::Other,
        Capture::Unsafe if call.other_thread => strictness == Strictness::Global,
        Capture::Unsafe => strictness != Strictness::Relaxed,
        Capture::Legacy => strictness == Strictness::GlobalBlocking,
        Capture::Legal | Capture::Captured => false,
    };
    let is_captured = known.capture == Capture::Captured && call.on == On::Resident;
    Some(
        match (is_refused, strictness) {
            _ if call.is_special => return None,
            (true, Strictness::GlobalBlocking) => "STREAM_CAPTURE_IMPLICIT / STREAM_CAPTURE_INVALIDATED",
            (true, _) => "STREAM_CAPTURE_UNSUPPORTED / STREAM_CAPTURE_INVALIDATED",
            (false, _) if is_captured => "ok / 2 nodes",
            (false, _) => "ok / 1 node",
        }
        .to_owned(),
    )
}
