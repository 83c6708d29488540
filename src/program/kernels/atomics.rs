//! Atomic operations of device code.

use std::rc::Rc;

use super::symbols::{Kind, Loc, Strength, Sym, Touch, binary, int, node};
use super::walk::Walker;
use crate::facts::ir::{BinaryOp, Expr, Span};

impl<'a> Walker<'a> {
    /// A method of `cuda::atomic`, `cuda::atomic_ref` or `cuda::atomic_flag`.
    pub(super) fn atomic_method(&mut self, loc: &Loc, method: &str, args: &'a [Expr], span: Span) -> Sym {
        let values: Vec<Sym> = args.iter().map(|arg| self.evaluate(arg)).collect();
        let first = values.first().cloned();
        match method {
            "load" | "test" => self.load(loc, Strength::Strong, Touch::Read, span),
            "store" => {
                let serial = self.next_serial();
                self.record_write(loc, first, false, serial, span);
                self.unknown()
            }
            "clear" => {
                let serial = self.next_serial();
                self.record_write(loc, Some(int(0)), false, serial, span);
                self.unknown()
            }
            "wait" => {
                let value = self.load(loc, Strength::Strong, Touch::Read, span);
                if let Some(old) = first {
                    self.wait_call(&value, &old, span);
                }
                self.unknown()
            }
            "test_and_set" => self.update(loc, Touch::Exchange(int(1)), Some(int(1)), span),
            "exchange" => match first {
                Some(stored) => self.update(loc, Touch::Exchange(Rc::clone(&stored)), Some(stored), span),
                None => self.unknown(),
            },
            "compare_exchange_strong" | "compare_exchange_weak" => {
                self.compare_exchange(loc, args, &values, span)
            }
            "notify_one" | "notify_all" => self.unknown(),
            _ => match first {
                Some(operand) if method.starts_with("fetch_") => {
                    let name = method.strip_prefix("fetch_").unwrap_or_default();
                    self.read_modify_write(loc, name, &operand, span)
                }
                _ => self.update(loc, Touch::Change, None, span),
            },
        }
    }

    /// An atomic operation of the compiler: the first argument points to the place.
    pub(super) fn builtin_atomic(&mut self, operation: &str, args: &'a [Expr], span: Span) -> Sym {
        let values: Vec<Sym> = args.iter().map(|arg| self.evaluate(arg)).collect();
        let Some(pointer) = values.first() else {
            return self.unknown();
        };
        let loc = self.deref(&Rc::clone(pointer), &int(0));
        match (operation, values.get(1..).unwrap_or_default()) {
            ("load", _) => self.load(&loc, Strength::Strong, Touch::Read, span),
            ("store", [stored, ..]) => {
                let serial = self.next_serial();
                self.record_write(&loc, Some(Rc::clone(stored)), false, serial, span);
                self.unknown()
            }
            ("exchange", [stored, ..]) => {
                let touch = Touch::Exchange(Rc::clone(stored));
                self.update(&loc, touch, Some(Rc::clone(stored)), span)
            }
            (
                "compare_exchange" | "compare_exchange_strong" | "compare_exchange_weak",
                [held, desired, ..],
            ) => {
                let variable = self.deref(&Rc::clone(held), &int(0));
                let expected = self.read(&variable, span);
                let old = self.compare_and_swap(
                    &loc,
                    &[Rc::clone(pointer), Rc::clone(&expected), Rc::clone(desired)],
                    span,
                );
                self.write(&variable, Some(Rc::clone(&old)), span);
                binary(BinaryOp::Equal, &old, &expected)
            }
            (it, [operand, ..]) => {
                let name = it.strip_prefix("fetch_").unwrap_or(it);
                self.read_modify_write(&loc, name, &Rc::clone(operand), span)
            }
            _ => self.unknown(),
        }
    }

    /// `true` when the place held what was expected; the expected variable takes the old value.
    pub(super) fn compare_exchange(
        &mut self,
        loc: &Loc,
        args: &'a [Expr],
        values: &[Sym],
        span: Span,
    ) -> Sym {
        let (Some(target), [expected, desired, ..]) = (args.first(), values) else {
            return self.unknown();
        };
        let touch = Touch::Compare(Rc::clone(expected), Rc::clone(desired));
        let old = self.update(loc, touch, Some(Rc::clone(desired)), span);
        let variable = self.lvalue(target);
        self.write(&variable, Some(Rc::clone(&old)), span);
        binary(BinaryOp::Equal, &old, expected)
    }

    /// An atomic update; its value is what the place held before.
    pub(super) fn update(&mut self, loc: &Loc, touch: Touch, stored: Option<Sym>, span: Span) -> Sym {
        if !loc.is_visible() {
            return node(Kind::Local);
        }
        let old = self.load(loc, Strength::Strong, touch, span);
        let serial = self.serial;
        self.record_write(loc, stored, true, serial, span);
        old
    }

    pub(super) fn read_modify_write(&mut self, loc: &Loc, operation: &str, operand: &Sym, span: Span) -> Sym {
        let operation = operation.to_ascii_lowercase();
        let neutral = match (operation.as_str(), &operand.kind) {
            ("add" | "sub" | "or" | "xor" | "max", Kind::Int(0)) | ("and", Kind::Int(-1)) => true,
            ("and", Kind::Int(value)) => *value == i64::from(u32::MAX),
            _ => false,
        };
        if neutral && loc.is_visible() {
            self.reload();
            return self.load(loc, Strength::Strong, Touch::Read, span);
        }
        match (operation.as_str(), &operand.kind) {
            ("and", Kind::Int(0)) => self.update(loc, Touch::Exchange(int(0)), Some(int(0)), span),
            _ => {
                let known = self.writes.len();
                let old = self.update(loc, Touch::Change, None, span);
                if let ("add", Kind::Int(added), Some(write)) =
                    (operation.as_str(), &operand.kind, self.writes.get_mut(known))
                {
                    write.added = Some(*added);
                }
                old
            }
        }
    }

    pub(super) fn compare_and_swap(&mut self, loc: &Loc, values: &[Sym], span: Span) -> Sym {
        let [_, expected, desired, ..] = values else {
            return self.unknown();
        };
        if expected == desired && loc.is_visible() {
            self.reload();
            return self.load(loc, Strength::Strong, Touch::Read, span);
        }
        let touch = Touch::Compare(Rc::clone(expected), Rc::clone(desired));
        self.update(loc, touch, Some(Rc::clone(desired)), span)
    }
}
