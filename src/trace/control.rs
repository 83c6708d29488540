//! What belongs to the host thread that executes, and stays behind when another one takes its turn.

use std::collections::BTreeMap;

use super::calls::Argument;
use super::joins::Believed;
use super::left_out::{Left, Passes};
use super::machine::{Flow, Frame, Names, Textual};
use super::memory::Value;
use super::openmp::Member;
use super::turns::Turn;
use super::types::Static;
use super::{DeviceId, Location, ThreadId};
use crate::facts::ir::{BinaryOp, Expr};
use crate::program::{ClassId, FileId};
use crate::syntax::Span;

/// The control of one thread.
#[derive(Default)]
pub(super) struct Control<'p> {
    /// Functions that it is in, innermost last.
    pub(super) frames: Vec<Frame<'p>>,
    /// Which thread it is.
    pub(super) thread: ThreadId,
    /// Its current device.
    pub(super) device: DeviceId,
    /// Where the statement stands that is executed, as far as it can branch.
    pub(super) branching: u32,
    /// Where patience ends with what makes no events.
    pub(super) patience: u32,
    /// Locks that the thread holds.
    pub(super) locked: u32,
    /// Depth of loop conditions being evaluated: a query there waits.
    pub(super) polling: u32,
    /// Places read while a loop condition is evaluated.
    pub(super) reads: Vec<Location>,
    /// Places that are read and may outlive the call, in order.
    pub(super) outlasting: Vec<Location>,
    /// The condition is that of a condition variable: what it could read too is looked at, if it is not evaluated itself.
    pub(super) looks_around: bool,
    /// Places that such a condition reads, or could read.
    pub(super) readable: Vec<Location>,
    /// What is compared with numbers while one is.
    pub(super) compared: Vec<(BinaryOp, i64)>,
    /// What is being assigned to and does more than name a place, the depth of the call it stands in, and the place.
    pub(super) placed: Vec<(&'p Expr, usize, Option<Location>)>,
    /// The place the last call returned a reference to.
    pub(super) returned: Option<Location>,
    /// Where what a client called last handed over its result.
    pub(super) handed_over: Option<(FileId, Span, Value)>,
    /// Parallel regions this thread is in, innermost last.
    pub(super) team: Vec<Member>,
    /// What the macro that is called next puts into lambdas.
    pub(super) macro_text: Textual<'p>,
    /// Texts that are being evaluated.
    pub(super) open_texts: Vec<&'p Expr>,
    /// What the macro that was called last declared.
    pub(super) macro_scope: Option<Names<'p>>,
    /// What the macro that was used last stands for, where that is several arguments.
    pub(super) divided: Option<Vec<Argument>>,
    /// How the macro that was used last left what it is used in.
    pub(super) left: Option<Flow>,
    /// What was stored where when the thread that is executed was started.
    pub(super) at_spawn: BTreeMap<Location, Value>,
    /// What was thrown last, and its type.
    pub(super) thrown: Option<(Value, Option<Static>)>,
    /// Types of the elements that loops go over, by where the loops declare their variables.
    pub(super) elements: BTreeMap<(FileId, u32), Static>,
    /// An exception looks for its handler.
    pub(super) throwing: bool,
    /// Temporary objects of the expressions that are being evaluated.
    pub(super) temporaries: Vec<(Location, ClassId)>,
    /// Objects of which a base is being made or ended, innermost last.
    pub(super) parts: Vec<Location>,
    /// Objects that were made for parameters of the function that is called next.
    pub(super) passed: Vec<Location>,
    /// `try` blocks that execution is in.
    pub(super) handlers: u32,
    /// What was believed before sides of branches left what control is still in.
    pub(super) departed: Vec<Believed>,
    /// Depth of loops, and sides of branches, whose condition is unknown.
    pub(super) unsure: u32,
    /// Depth of loops without a condition, and of those that ask for it behind their body.
    pub(super) endless: u32,
    /// Loops that are being executed, innermost last.
    pub(super) loops: Vec<Passes<'p>>,
    /// What was left out in them so far.
    pub(super) left_out: Vec<Left>,
    /// Depth of evaluations that do not access what they name.
    pub(super) quiet: u32,
    /// Depth of functions that do no more than take locks and store.
    pub(super) aside: u32,
    /// The expression whose value is being loaded.
    pub(super) here: Span,
    /// The statement that was begun last, where it is an expression.
    pub(super) statement: Span,
    /// The last stores to what the thread comes from waiting for, one of each thread: their places among its events.
    pub(super) woken_by: Vec<(ThreadId, u32)>,
    /// The way back, in a thread that was given a turn.
    pub(super) turn: Option<Turn<'p>>,
}

impl Control<'_> {
    /// That of a thread that begins.
    pub(super) fn new() -> Self {
        Control {
            patience: u32::MAX,
            ..Control::default()
        }
    }
}
