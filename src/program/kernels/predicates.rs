//! What holds of every element that an access touches: of two accesses of which the opposite holds, none touches what the other
//! does (`if (rim(i)) u[i]` beside `if (!rim(i)) u[i]`).

use super::part::varies;
use super::symbols::{Base, Kind, Loc, Step, Sym, Touch, export, expr, int, node};
use super::walk::{PathCondition, Walker};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Nesting of a condition below which nothing is looked at.
const DEPTH: u32 = 24;

/// How the index of an element is written in what is asked of it.
const INDEX: &str = "$";

/// Something that is asked of an element's index, and the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// What is asked: in two kernels the same where the texts and the values are.
    pub subject: String,
    /// The values in it that the launch gives, in the order of the text.
    pub given: Vec<Expr>,
    /// Whether the answer is `value`, or is not.
    pub equal: bool,
    /// The answer, over kernel parameters.
    pub value: Expr,
}

impl Walker<'_> {
    /// What the conditions on the way say of the index of an access.
    pub(super) fn predicates(&self, loc: &Loc, path: &[PathCondition]) -> Vec<Predicate> {
        let mut indices = loc.path.iter().filter_map(|it| match it {
            Step::Element(index) if varies(index) => Some(index),
            _ => None,
        });
        let (Some(index), None) = (indices.next(), indices.next()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for condition in path {
            self.split(&condition.sym, condition.side, index, &mut found, 0);
        }
        found
    }

    /// The parts of a condition that hold one by one.
    fn split(&self, condition: &Sym, holds: bool, index: &Sym, found: &mut Vec<Predicate>, depth: u32) {
        if depth > DEPTH || !varies(condition) {
            return;
        }
        match (&condition.kind, holds) {
            (Kind::Unary(UnaryOp::Not, operand), _) => self.split(operand, !holds, index, found, depth + 1),
            (Kind::Binary(BinaryOp::Equal, left, right), _) => {
                self.compared((left, right), holds, index, found);
            }
            (Kind::Binary(BinaryOp::NotEqual, left, right), _) => {
                self.compared((left, right), !holds, index, found);
            }
            (Kind::Binary(BinaryOp::And, left, right), true)
            | (Kind::Binary(BinaryOp::Or, left, right), false) => {
                // Elsewhere its opposite is one piece.
                found.extend(self.predicate((condition, &int(0)), !holds, index));
                for part in [left, right] {
                    self.split(part, holds, index, found, depth + 1);
                }
            }
            _ => found.extend(self.predicate((condition, &int(0)), !holds, index)),
        }
    }

    fn compared(&self, (left, right): (&Sym, &Sym), equal: bool, index: &Sym, found: &mut Vec<Predicate>) {
        match (varies(left), varies(right)) {
            (true, false) => found.extend(self.predicate((left, right), equal, index)),
            (false, true) => found.extend(self.predicate((right, left), equal, index)),
            _ => {
                let same = node(Kind::Binary(
                    BinaryOp::Equal,
                    std::rc::Rc::clone(left),
                    std::rc::Rc::clone(right),
                ));
                found.extend(self.predicate((&same, &int(0)), !equal, index));
            }
        }
    }

    fn predicate(&self, (asked, value): (&Sym, &Sym), equal: bool, index: &Sym) -> Option<Predicate> {
        let mut text = Text {
            walker: self,
            index: Some(index),
            given: Vec::new(),
            written: String::new(),
            others: Vec::new(),
        };
        text.write(asked, 0)?;
        let others = std::mem::take(&mut text.others);
        if !others.is_empty() {
            // The index tells the numbers of the threads apart that are asked for.
            let mut of_index = Vec::new();
            apart(index, &mut of_index, 0);
            others.iter().all(|it| of_index.contains(it)).then_some(())?;
            text.index = None;
            text.written.push('@');
            text.write(index, 0)?;
        }
        let (equal, value) = match (is_two_valued(asked), &value.kind) {
            (true, Kind::Int(it @ (0 | 1))) if !equal => (true, expr(ExprKind::Int(1 - it))),
            _ => (equal, export(value, self.kernel)?),
        };
        Some(Predicate {
            subject: text.written,
            given: text.given,
            equal,
            value,
        })
    }
}

/// A remainder of two: where it is not the one, it is the other.
fn is_two_valued(asked: &Sym) -> bool {
    match &asked.kind {
        Kind::Binary(BinaryOp::Remainder, _, by) => matches!(by.kind, Kind::Int(2)),
        Kind::Binary(BinaryOp::BitAnd, a, b) => {
            matches!(a.kind, Kind::Int(1)) || matches!(b.kind, Kind::Int(1))
        }
        _ => false,
    }
}

/// What differs between threads or iterations in an index, and is not divided or masked there.
fn apart<'s>(index: &'s Sym, found: &mut Vec<&'s Kind>, depth: u32) {
    match &index.kind {
        _ if depth > DEPTH => {}
        Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, left, right) => {
            apart(left, found, depth + 1);
            apart(right, found, depth + 1);
        }
        Kind::Binary(BinaryOp::ShiftLeft, left, _) => apart(left, found, depth + 1),
        kind => found.push(kind),
    }
}

/// A condition, written down alike in every kernel.
struct Text<'w, 'a> {
    walker: &'w Walker<'a>,
    /// What is written as [`INDEX`].
    index: Option<&'w Sym>,
    given: Vec<Expr>,
    written: String,
    /// What differs between threads and is not the index.
    others: Vec<&'w Kind>,
}

impl<'w> Text<'w, '_> {
    fn write(&mut self, sym: &'w Sym, depth: u32) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        if self.index == Some(sym) {
            self.written.push_str(INDEX);
            return Some(());
        }
        match &sym.kind {
            Kind::Int(number) => self.written.push_str(&number.to_string()),
            Kind::Parameter(_) | Kind::Constant(_) => self.give(export(sym, self.walker.kernel)?),
            Kind::Unary(op, operand) => {
                self.written.push_str(&format!("{op:?}("));
                self.write(operand, depth + 1)?;
                self.written.push(')');
            }
            Kind::Binary(op, left, right) => {
                self.written.push_str(&format!("{op:?}("));
                self.write(left, depth + 1)?;
                self.written.push(',');
                self.write(right, depth + 1)?;
                self.written.push(')');
            }
            Kind::Select(condition, then, otherwise) => {
                self.written.push_str("choose(");
                for part in [condition, then, otherwise] {
                    self.write(part, depth + 1)?;
                    self.written.push(',');
                }
                self.written.push(')');
            }
            Kind::Load(load) if load.touch == Touch::Read => self.load(&load.loc, depth)?,
            Kind::Thread(name) => {
                self.others.push(&sym.kind);
                self.written.push_str(name);
            }
            Kind::Launch(name) => self.written.push_str(name),
            Kind::Carried { loop_id, variable } => {
                let key = (*loop_id, *variable);
                let walker = self.walker;
                let (first, step) = (walker.initials.get(&key)?, walker.strides.get(&key)?);
                let before = self.others.len();
                self.written.push_str("from(");
                self.write(first, depth + 1)?;
                self.written.push_str(",by ");
                self.write(step, depth + 1)?;
                self.written.push(')');
                self.others.truncate(before);
                self.others.push(&sym.kind);
            }
            _ => return None,
        }
        Some(())
    }

    /// What an array holds that a parameter leads to.
    fn load(&mut self, loc: &'w Loc, depth: u32) -> Option<()> {
        let Base::Parameter(_) = loc.base else { return None };
        let fields = loc
            .path
            .iter()
            .take_while(|it| matches!(it, Step::Field(_)))
            .count();
        let array = Loc {
            base: loc.base.clone(),
            path: loc.path[..fields].to_vec(),
            ty: loc.ty.clone(),
        };
        self.give(export(&node(Kind::Parameter(array)), self.walker.kernel)?);
        for step in &loc.path[fields..] {
            match step {
                Step::Field(name) => {
                    self.written.push('.');
                    self.written.push_str(name);
                }
                Step::Element(index) => {
                    self.written.push('[');
                    self.write(index, depth + 1)?;
                    self.written.push(']');
                }
            }
        }
        Some(())
    }

    fn give(&mut self, value: Expr) {
        let number = self.given.iter().position(|it| *it == value);
        let number = number.unwrap_or_else(|| {
            self.given.push(value);
            self.given.len() - 1
        });
        self.written.push_str(&format!("p{number}"));
    }
}
