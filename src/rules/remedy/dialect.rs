//! How a file writes CUDA calls: those of the runtime or of the driver, and in which macro for errors.

use std::collections::BTreeMap;

use super::fresh_name;
use crate::facts::ir::{Expr, ExprKind, Role};
use crate::facts::visit;
use crate::program::{FileId, Program};
use crate::rules::story;

/// The interface a file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interface {
    Runtime,
    Driver,
}

/// Calls as a file writes them.
pub(super) struct Dialect {
    interface: Interface,
    /// What most calls are wrapped in.
    check: Option<String>,
}

impl Dialect {
    /// The dialect of a file; `None` where neither interface is seen to be known.
    pub(super) fn of(program: &Program, file: FileId) -> Option<Dialect> {
        let unit = program.unit(file);
        if story::hip::is_hip(&unit.bytes) {
            return None;
        }
        let (mut runtime, mut driver) = (Wrappers::default(), Wrappers::default());
        for function in unit.facts.functions.iter().filter(|it| it.role != Role::Macro) {
            visit::function(function, &mut |node| {
                if let visit::Node::Expr(it) = node {
                    runtime.count(it, Interface::Runtime);
                    driver.count(it, Interface::Driver);
                }
            });
        }
        // The compiler of a CUDA source knows the runtime without being told.
        let extension = unit.path.rsplit('.').next();
        let is_cuda = extension.is_some_and(|it| it == "cu" || it == "cuh");
        let (interface, wrappers) = match (runtime.calls, driver.calls) {
            (1.., _) => (Interface::Runtime, runtime),
            _ if is_cuda => (Interface::Runtime, runtime),
            (_, 1..) => (Interface::Driver, driver),
            _ => return None,
        };
        Some(Dialect {
            interface,
            check: wrappers.most(),
        })
    }

    /// This dialect, where it is that of the runtime.
    pub(super) fn runtime(self) -> Option<Dialect> {
        (self.interface == Interface::Runtime).then_some(self)
    }

    /// A statement that makes a call.
    pub(super) fn statement(&self, call: &str) -> String {
        match &self.check {
            Some(name) => format!("{name}({call});"),
            None => format!("{call};"),
        }
    }

    /// The host waits for a stream.
    pub(super) fn wait_for_stream(&self, stream: &str) -> String {
        self.statement(&match self.interface {
            Interface::Runtime => format!("cudaStreamSynchronize({stream})"),
            Interface::Driver => format!("cuStreamSynchronize({stream})"),
        })
    }

    /// The host waits for the device.
    pub(super) fn wait_for_device(&self) -> String {
        self.statement(match self.interface {
            Interface::Runtime => "cudaDeviceSynchronize()",
            Interface::Driver => "cuCtxSynchronize()",
        })
    }

    /// One stream waits for all that another one holds by now, with an event of their own.
    pub(super) fn event_wait(&self, bytes: &[u8], first: &str, second: &str) -> Vec<String> {
        let event = fresh_name(bytes, &["ready"]);
        let (declaration, calls) = match self.interface {
            Interface::Runtime => (
                format!("cudaEvent_t {event};"),
                [
                    format!("cudaEventCreateWithFlags(&{event}, cudaEventDisableTiming)"),
                    format!("cudaEventRecord({event}, {first})"),
                    format!("cudaStreamWaitEvent({second}, {event}, 0)"),
                    format!("cudaEventDestroy({event})"),
                ],
            ),
            Interface::Driver => (
                format!("CUevent {event};"),
                [
                    format!("cuEventCreate(&{event}, CU_EVENT_DISABLE_TIMING)"),
                    format!("cuEventRecord({event}, {first})"),
                    format!("cuStreamWaitEvent({second}, {event}, 0)"),
                    format!("cuEventDestroy({event})"),
                ],
            ),
        };
        let calls = calls.iter().map(|it| self.statement(it));
        let inner = std::iter::once(declaration)
            .chain(calls)
            .map(|it| format!("  {it}"));
        std::iter::once("{".to_owned())
            .chain(inner)
            .chain(["}".to_owned()])
            .collect()
    }
}

/// How often calls of an interface are made, and what they are wrapped in.
#[derive(Default)]
struct Wrappers {
    calls: usize,
    names: BTreeMap<String, usize>,
}

impl Wrappers {
    fn count(&mut self, expression: &Expr, interface: Interface) {
        self.calls += usize::from(is_call_of(expression, interface));
        if let Some(name) = wrapper(expression, interface) {
            *self.names.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// What most calls are wrapped in.
    fn most(self) -> Option<String> {
        let (name, count) = self.names.into_iter().max_by_key(|(_, count)| *count)?;
        (count * 2 > self.calls).then_some(name)
    }
}

/// The name around a single call.
fn wrapper(expression: &Expr, interface: Interface) -> Option<&str> {
    let ExprKind::Call(call) = &expression.kind else {
        return None;
    };
    match (&call.callee.kind, call.args.as_slice()) {
        (ExprKind::Name(name), [only])
            if is_call_of(only, interface) && name.is_plain() && !is_call_of(expression, interface) =>
        {
            Some(name.last())
        }
        _ => None,
    }
}

fn is_call_of(expression: &Expr, interface: Interface) -> bool {
    let prefix = match interface {
        Interface::Runtime => "cuda",
        Interface::Driver => "cu",
    };
    let ExprKind::Call(call) = &expression.kind else {
        return false;
    };
    match &call.callee.kind {
        ExprKind::Name(name) => {
            let rest = name.last().strip_prefix(prefix);
            rest.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_uppercase()))
        }
        _ => false,
    }
}
