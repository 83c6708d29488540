//! Summaries of small kernels, written as CUDA source.

mod idioms;
mod not_waits;
mod other;
mod scope;
mod waits;

use super::{KernelSummary, LoadKind, WaitLoop};
use crate::facts::ir::{BinaryOp, Expr, ExprKind};
use scope::SingleFile;

/// The summary of the first kernel of a file.
fn summary(source: &str) -> KernelSummary {
    let file = SingleFile::new(source.as_bytes());
    let kernel = file.kernels().next().expect("the source holds a kernel");
    super::summarise(&file, kernel, &[], &[])
}

/// The summary of the body of `__global__ void k(parameters) { body }`.
fn kernel(parameters: &str, body: &str) -> KernelSummary {
    summary(&format!("__global__ void k({parameters}) {{ {body} }}"))
}

/// The kernel waits in exactly one loop for outside help; its places and condition as text.
fn only_wait(summary: &KernelSummary) -> String {
    assert_eq!(summary.waits.len(), 1, "{summary:#?}");
    assert_eq!(summary.internal_waits.len(), 0, "{summary:#?}");
    describe(&summary.waits[0])
}

/// The kernel waits for nobody outside.
fn assert_silent(summary: &KernelSummary) {
    let waits: Vec<String> = summary.waits.iter().map(describe).collect();
    assert!(waits.is_empty(), "{waits:?} {summary:#?}");
}

fn describe(wait: &WaitLoop) -> String {
    let same = wait.awaited.iter().all(|it| it.until == wait.awaited[0].until);
    let condition = |it: &super::AwaitedPlace| match &it.until {
        Some((op, value)) => format!(" {} {}", operator(*op), expression(value)),
        None => String::new(),
    };
    let awaited = wait.awaited.iter();
    let places: Vec<String> = match same {
        true => awaited.map(|it| place(&it.place)).collect(),
        false => awaited.map(|it| place(&it.place) + &condition(it)).collect(),
    };
    let mut text = places.join(", ");
    if same {
        text.push_str(&wait.awaited.first().map(condition).unwrap_or_default());
    }
    for (guard, side) in &wait.guards {
        let negated = if *side { "" } else { "not " };
        text.push_str(&format!(" if {negated}{}", expression(guard)));
    }
    match wait.load {
        LoadKind::Fresh => {}
        LoadKind::Cached => text.push_str(" cached"),
        LoadKind::Plain => text.push_str(" plain"),
    }
    text
}

fn place(place: &super::Place) -> String {
    let base = match place.base {
        super::PlaceBase::Parameter(index) => format!("p{index}"),
        super::PlaceBase::Global(id) => format!("g{}", id.index),
        super::PlaceBase::Unknown => "?".to_owned(),
    };
    place.path.iter().fold(base, |text, step| match step {
        super::PlaceStep::Field(name) => format!("{text}.{name}"),
        super::PlaceStep::Element(index) => format!("{text}[{index}]"),
        super::PlaceStep::Uniform(expr) => format!("{text}[{}]", expression(expr)),
        super::PlaceStep::Varying => format!("{text}[*]"),
    })
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::BitAnd => "&",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        _ => "?",
    }
}

fn expression(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Member { object, field, .. } => format!("{}.{field}", expression(object)),
        ExprKind::Binary { op, left, right } => {
            format!("({} {} {})", expression(left), operator(*op), expression(right))
        }
        ExprKind::Unary { op, operand } => format!("{op:?}({})", expression(operand)),
        other => format!("{other:?}"),
    }
}
