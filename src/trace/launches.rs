//! The shape of kernel launches: how large the grid is, where its size comes from, and which grid-wide barriers it reaches.

use std::sync::Arc;

use super::calls::Argument;
use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::{Location, Site, ThreadId};
use crate::api::{Operation, Role};
use crate::facts::ir::{BinaryOp, Expr, Name};
use crate::program::FunctionId;
use crate::program::kernels::{Arrival, GridBarrier};
use crate::syntax::Span;

/// `cudaDevAttrMultiProcessorCount`.
const MULTIPROCESSOR_COUNT: i64 = 16;

/// Fields of `cudaLaunchConfig_t` and of `CUlaunchConfig`, in the order in which they are declared.
const LAUNCH_CONFIG: [&str; 6] = [
    "gridDim",
    "blockDim",
    "dynamicSmemBytes",
    "stream",
    "attrs",
    "numAttrs",
];
const DRIVER_LAUNCH_CONFIG: [&str; 10] = [
    "gridDimX",
    "gridDimY",
    "gridDimZ",
    "blockDimX",
    "blockDimY",
    "blockDimZ",
    "sharedMemBytes",
    "hStream",
    "attrs",
    "numAttrs",
];

/// A launch of a kernel that waits, or that has a barrier over its grid.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Thread that launches.
    pub thread: ThreadId,
    /// Position of the launch among the events of that thread.
    pub position: u32,
    /// Where it is launched.
    pub site: Site,
    /// The kernel in the user's words.
    pub name: String,
    /// Where the number of blocks comes from.
    pub grid: Grid,
    /// Threads of a block at least, where known.
    pub threads: Option<i64>,
    /// Launched so that all blocks are resident together; `None` when nobody knows.
    pub cooperative: Option<bool>,
    /// The program asked on this path how many blocks fit, of something that needs as much as this launch, for all one knows.
    pub asked_occupancy: bool,
    /// It asked of this kernel with less than a block of this launch needs.
    pub asked_for_less: Option<AskedForLess>,
    /// Barriers over the grid that this launch reaches.
    pub barriers: Vec<GridBarrier>,
}

/// Where the number of blocks of a launch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// A number.
    Blocks(i64),
    /// As many blocks as fit, by the occupancy calculator.
    Occupancy,
    /// This many blocks for each multiprocessor.
    PerMultiprocessor(i64),
    /// Fewer than there are multiprocessors, or fewer than fit.
    Fewer,
    /// A division of something nobody knows: it grows with the data.
    Scales,
    /// Nobody knows.
    Unknown,
}

/// A question how many blocks fit, of which each needs less than those that are launched.
#[derive(Clone, Debug)]
pub struct AskedForLess {
    /// Where it is asked.
    pub site: Site,
    /// What they are said to need.
    pub asked: Needs,
    /// What they need.
    pub launched: Needs,
}

/// What a block takes of a multiprocessor, where known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Threads.
    pub threads: Option<i64>,
    /// Bytes of dynamic shared memory.
    pub shared: Option<i64>,
}

impl Needs {
    fn of(block: Option<&Value>, shared: Option<&Value>) -> Needs {
        let known = |it: Option<&Value>| match it {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        Needs {
            threads: known(block),
            shared: known(shared.or(Some(&Value::Int(0)))),
        }
    }

    /// Whether it is less than another: of shared memory none where the other computes how much it is.
    fn is_less_than(&self, other: &Needs) -> bool {
        let less = |mine: Option<i64>, other: Option<i64>| mine.zip(other).is_some_and(|(a, b)| a < b);
        less(self.threads, other.threads)
            || less(self.shared, other.shared)
            || self.shared == Some(0) && other.shared.is_none()
    }
}

/// A question how many blocks of a kernel fit.
#[derive(Clone, Debug)]
pub(super) struct Question {
    site: Site,
    kernel: Value,
    needs: Needs,
}

/// A property of the device that a value holds.
#[derive(Clone, Debug)]
pub(super) enum Quantity {
    Multiprocessors,
    ResidentBlocks(Question),
}

impl<'p> Machine<'p> {
    /// Notes a launch whose shape matters, right behind its event.
    pub(super) fn note_shape(
        &mut self,
        kernel: &Value,
        args: &[Argument],
        shape: (Option<Value>, Option<Value>, Option<Value>),
        cooperative: Option<bool>,
        span: Span,
    ) {
        let Value::Function(function, instance) = kernel else {
            return;
        };
        let Some(summary) = self.summary_of(*function, instance, args) else {
            return;
        };
        if summary.barriers.is_empty() && summary.waits.is_empty() {
            return;
        }
        let (grid, block, shared) = shape;
        let (grid, block) = (self.first_extent(grid), self.first_extent(block));
        let needs = Needs::of(block.as_ref(), shared.as_ref());
        let mut questions = self.quantities.values().filter_map(|it| match it {
            Quantity::ResidentBlocks(question) => Some(question),
            Quantity::Multiprocessors => None,
        });
        let for_less = |it: &Question| it.kernel == *kernel && it.needs.is_less_than(&needs);
        let asked_occupancy = questions.clone().any(|it| !for_less(it));
        let asked_for_less = questions.find(|it| for_less(it)).filter(|_| !asked_occupancy);
        let asked_for_less = asked_for_less.map(|it| AskedForLess {
            site: it.site.clone(),
            asked: it.needs,
            launched: needs,
        });
        let barriers = self.barriers_reached(*function, instance, args, grid.as_ref());
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let launch = Launch {
            thread: self.control.thread,
            position: (events.len() as u32).saturating_sub(1),
            site: self.site(span),
            name: self.kernel_use(kernel, "").name,
            grid: grid.as_ref().map_or(Grid::Unknown, |it| self.grid_of(it, 0)),
            threads: needs.threads,
            cooperative,
            asked_occupancy,
            asked_for_less,
            barriers,
        };
        self.trace.notes.launches.push(launch);
    }

    /// The same for a launch by a call.
    pub(super) fn note_launch_call(&mut self, call: &Invocation<'_>, kernel: &Value, args: &[Argument]) {
        let config = call
            .arg(Role::LaunchConfig)
            .map(|it| it.value.clone())
            .and_then(|it| self.pointee(&it));
        let field =
            |machine: &Self, name: &str| -> Option<Value> { machine.configured(config.as_ref()?, name) };
        let shape = match &config {
            Some(_) => {
                let shared = ["dynamicSmemBytes", "sharedMemBytes"];
                let shared = shared.iter().find_map(|it| field(self, it));
                (field(self, "gridDim"), field(self, "blockDim"), shared)
            }
            None => (
                call.arg(Role::Grid).map(|it| it.value.clone()),
                call.arg(Role::Block).map(|it| it.value.clone()),
                call.arg(Role::SharedBytes).map(|it| it.value.clone()),
            ),
        };
        let cooperative = match call.entry.operation {
            Operation::CooperativeLaunch => Some(true),
            _ if config.is_none() => Some(false),
            // Attributes may make it cooperative.
            _ => match field(self, "numAttrs") {
                Some(Value::Int(0)) => Some(false),
                _ => None,
            },
        };
        self.note_shape(kernel, args, shape, cooperative, call.span);
    }

    /// A field of the configuration of a launch: by its name, or by its position in a list of initialisers.
    pub(super) fn configured(&self, config: &Location, name: &str) -> Option<Value> {
        let driver = self
            .memory
            .get(&config.element(LAUNCH_CONFIG.len() as i64))
            .is_some();
        let order: &[&str] = if driver {
            &DRIVER_LAUNCH_CONFIG
        } else {
            &LAUNCH_CONFIG
        };
        let position = order.iter().position(|it| *it == name);
        let listed = position.map(|it| config.element(it as i64));
        let mut places = [Some(config.field(name)), listed].into_iter().flatten();
        places.find_map(|it| {
            let first = it.field("x");
            self.memory.get(&it).or_else(|| self.memory.get(&first)).cloned()
        })
    }

    /// Where a query puts a property of the device.
    pub(super) fn note_quantity(&mut self, call: &Invocation<'_>) {
        let name = call.name;
        if name.contains("OccupancyMaxActiveBlocks") || name.contains("OccupancyMaxPotentialBlockSize") {
            let argument = |index: usize| call.args.get(index).map(|it| it.value.clone());
            // The other call chooses the size of a block itself.
            let block = argument(2).filter(|_| name.contains("OccupancyMaxActiveBlocks"));
            let kernel = argument(if block.is_some() { 1 } else { 2 });
            let question = Question {
                site: self.site(call.span),
                kernel: kernel.unwrap_or(Value::Int(0)),
                needs: Needs::of(block.as_ref(), argument(3).as_ref()),
            };
            self.mark_output(call, Quantity::ResidentBlocks(question));
        } else if name.contains("DeviceGetAttribute")
            && matches!(
                call.args.get(1).map(|it| &it.value),
                Some(Value::Int(MULTIPROCESSOR_COUNT))
            )
            || name.contains("DeviceGetAttribute")
                && call.args.get(1).is_some_and(|it| {
                    it.words.contains("MultiProcessorCount") || it.words.contains("MULTIPROCESSOR_COUNT")
                })
        {
            self.mark_output(call, Quantity::Multiprocessors);
        } else if name.contains("GetDeviceProperties")
            && let Some(place) = call.args.first().and_then(|it| self.pointee(&it.value.clone()))
        {
            let count = self.marked(Quantity::Multiprocessors);
            self.memory.set(place.field("multiProcessorCount"), count);
        }
    }

    fn mark_output(&mut self, call: &Invocation<'_>, quantity: Quantity) {
        let place = call.args.first().and_then(|it| self.pointee(&it.value.clone()));
        if let Some(place) = place {
            let value = self.marked(quantity);
            self.memory.set(place, value);
        }
    }

    fn marked(&mut self, quantity: Quantity) -> Value {
        let value = self.memory.fresh();
        if let Value::Unknown(id) = value {
            self.quantities.insert(id, quantity);
        }
        value
    }

    /// The first extent of a grid or block: a number, or a `dim3`.
    fn first_extent(&self, value: Option<Value>) -> Option<Value> {
        match value? {
            Value::Aggregate(place) | Value::Pointer(place) => self
                .memory
                .get(&place.field("x"))
                .or_else(|| self.memory.get(&place))
                .cloned(),
            other => Some(other),
        }
    }

    /// The number a template parameter of the function being executed was given.
    pub(super) fn template_number(&self, name: &Name) -> Option<i64> {
        let text = self
            .frame()
            .template
            .get(name.last())
            .filter(|_| name.is_plain())?;
        match text.trim() {
            "true" => Some(1),
            "false" => Some(0),
            text => text.parse().ok().or_else(|| {
                let constant = Name {
                    path: text.split("::").map(str::to_owned).collect(),
                    template_args: Vec::new(),
                    owner_args: Vec::new(),
                };
                self.program.constant_value(self.scope(), &constant)
            }),
        }
    }

    fn grid_of(&self, value: &Value, depth: u32) -> Grid {
        let id = match value {
            Value::Int(blocks) => return Grid::Blocks(*blocks),
            Value::Unknown(id) if depth < 12 => *id,
            _ => return Grid::Unknown,
        };
        match self.quantities.get(&id) {
            Some(Quantity::Multiprocessors) => return Grid::PerMultiprocessor(1),
            Some(Quantity::ResidentBlocks(_)) => return Grid::Occupancy,
            None => {}
        }
        let Some((op, left, right)) = self.memory.definition(id) else {
            return Grid::Unknown;
        };
        let (left, right) = (self.grid_of(left, depth + 1), self.grid_of(right, depth + 1));
        combined(*op, left, right)
    }

    /// Barriers that are reached for sure with these arguments.
    fn barriers_reached(
        &mut self,
        function: FunctionId,
        instance: &Arc<str>,
        args: &[Argument],
        grid: Option<&Value>,
    ) -> Vec<GridBarrier> {
        let Some(summary) = self.summary_of(function, instance, args) else {
            return Vec::new();
        };
        if summary.barriers.is_empty() {
            return Vec::new();
        }
        self.in_kernel(function, instance, args, |machine| {
            let reached = summary.barriers.iter().filter(|barrier| {
                let certain = |(condition, side): &'p (Expr, bool)| {
                    let value = machine.evaluate(condition);
                    machine.truth(&value) == Some(*side)
                };
                barrier.guards.iter().all(certain) && machine.counts_blocks(barrier, grid)
            });
            reached.cloned().collect()
        })
    }

    /// Whether what the blocks count to is the size of this grid.
    fn counts_blocks(&mut self, barrier: &'p GridBarrier, grid: Option<&Value>) -> bool {
        let Arrival::Values(values) = &barrier.arrival else {
            return true;
        };
        grid.is_some_and(|grid| {
            values.iter().any(|it| {
                let value = self.evaluate(it);
                value == *grid && value != Value::Int(1)
            })
        })
    }
}

fn combined(op: BinaryOp, left: Grid, right: Grid) -> Grid {
    use Grid::{Blocks, Fewer, Occupancy, PerMultiprocessor, Scales, Unknown};
    let of_device = |it: Grid| matches!(it, Occupancy | PerMultiprocessor(_) | Fewer);
    match (op, left, right) {
        (BinaryOp::Multiply, Occupancy, it) | (BinaryOp::Multiply, it, Occupancy) if it != Fewer => Occupancy,
        (BinaryOp::Multiply, PerMultiprocessor(a), Blocks(b))
        | (BinaryOp::Multiply, Blocks(b), PerMultiprocessor(a))
            if b > 0 =>
        {
            PerMultiprocessor(a.saturating_mul(b))
        }
        (_, a, b) if of_device(a) || of_device(b) => Fewer,
        (BinaryOp::Divide | BinaryOp::ShiftRight, Unknown | Scales, Blocks(_)) => Scales,
        (BinaryOp::Divide, Unknown | Scales, Unknown) => Scales,
        (_, Scales, _) | (_, _, Scales) => Scales,
        _ => Unknown,
    }
}
