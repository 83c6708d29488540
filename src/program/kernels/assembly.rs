//! Inline PTX: the loads, stores, atomics and clocks in it.

use std::rc::Rc;

use super::symbols::{Kind, Loc, Strength, Sym, Touch, int, node};
use super::walk::Walker;
use crate::facts::ir::{Expr, Span};

impl<'a> Walker<'a> {
    /// The effects of an `asm` statement. Any of them makes the compiler read memory again; one without an instruction
    /// that does something is gone after that.
    pub(super) fn assembly(&mut self, text: &str, operands: &'a [Expr], outputs: u32, span: Span) -> Sym {
        self.forget_memory(text.split([';', '\n']).any(has_effect), true);
        let outputs = usize::try_from(outputs).unwrap_or(usize::MAX).min(operands.len());
        let (written, read) = operands.split_at(outputs);
        let targets: Vec<Loc> = written.iter().map(|operand| self.lvalue(operand)).collect();
        let inputs: Vec<Sym> = read.iter().map(|operand| self.evaluate(operand)).collect();
        let mut results: Vec<Option<Sym>> = vec![None; outputs];
        for instruction in text.split([';', '\n']) {
            self.instruction(instruction, outputs, &inputs, &mut results, span);
        }
        for (target, result) in targets.iter().zip(results) {
            let value = match result {
                Some(value) => value,
                None => self.unknown(),
            };
            self.write(target, Some(value), span);
        }
        if loops(text) {
            self.assembly_loop(text, outputs, &inputs, span);
        }
        self.unknown()
    }

    /// A loop inside the statement that reads visible memory and does nothing else waits for it.
    fn assembly_loop(&mut self, text: &str, outputs: usize, inputs: &[Sym], span: Span) {
        let only_reads = text.split([';', '\n']).all(|it| {
            let (_, opcode, operation) = parts(it);
            matches!(operation, "bra" | "nanosleep")
                || opcode.ends_with(':')
                || opcode.starts_with('@')
                || strength(opcode) == Strength::Strong
                || !has_effect(it)
        });
        let load = text.split([';', '\n', ':']).find_map(|it| {
            let (it, opcode, operation) = parts(it);
            let visible =
                operation == "ld" && !opcode.contains(".shared") && strength(opcode) == Strength::Strong;
            address_of(it).filter(|_| visible)
        });
        if let Some((index, offset)) =
            load.filter(|_| only_reads && !text.contains("clock") && !text.contains("timer"))
            && let Some(pointer) = index.checked_sub(outputs).and_then(|it| inputs.get(it)).cloned()
        {
            let loc = self.addressed(&pointer, offset);
            let value = self.load(&loc, Strength::Strong, Touch::Read, span);
            self.wait_until_any(&value, span);
        }
    }

    fn instruction(
        &mut self,
        text: &str,
        outputs: usize,
        inputs: &[Sym],
        results: &mut [Option<Sym>],
        span: Span,
    ) {
        let (text, opcode, operation) = parts(text);
        let input = |index: usize| inputs.get(index.checked_sub(outputs)?).cloned();
        let shared = opcode.contains(".shared") || opcode.contains("mbarrier");
        let address = address_of(text).filter(|_| !shared);
        let pointer = address.and_then(|(index, offset)| Some((input(index)?, offset)));
        let after = text.rsplit(']').next().unwrap_or_default();
        let values: Vec<Option<Sym>> = operand_numbers(after).map(input).collect();
        match operation {
            "ld" | "ldu" => {
                let Some((pointer, offset)) = pointer else { return };
                let loc = self.addressed(&pointer, offset);
                let value = self.load(&loc, strength(opcode), Touch::Read, span);
                set_outputs(text, results, &value);
            }
            "st" | "red" | "cp" => {
                let Some((pointer, offset)) = pointer else { return };
                let loc = self.addressed(&pointer, offset);
                let serial = self.next_serial();
                let value = values.into_iter().next().flatten().or_else(|| literal(after));
                let value = value.filter(|_| operation == "st");
                self.record_write(&loc, value, operation == "red", serial, span);
            }
            "atom" => {
                let Some((pointer, offset)) = pointer else { return };
                let loc = self.addressed(&pointer, offset);
                let mut values = values.into_iter().flatten();
                let touch = if opcode.contains(".cas") {
                    match (values.next(), values.next()) {
                        (Some(expected), Some(desired)) => Touch::Compare(expected, desired),
                        _ => Touch::Change,
                    }
                } else if opcode.contains(".exch") {
                    values.next().map_or(Touch::Change, Touch::Exchange)
                } else {
                    Touch::Change
                };
                let stored = super::conditions::left_behind(&touch).cloned();
                let old = self.load(&loc, Strength::Strong, touch, span);
                let serial = self.serial;
                self.record_write(&loc, stored, true, serial, span);
                set_outputs(text, results, &old);
            }
            "mov" => {
                if text.contains("clock") || text.contains("globaltimer") {
                    set_outputs(text, results, &node(Kind::Clock));
                } else if text.contains("%%") || text.contains("%smid") || text.contains("%laneid") {
                    set_outputs(text, results, &node(Kind::Thread(text.trim().to_owned())));
                }
            }
            "trap" | "exit" => self.leave_kernel(),
            _ => {}
        }
    }

    fn addressed(&mut self, pointer: &Sym, offset: bool) -> Loc {
        let index = if offset { self.unknown() } else { int(0) };
        self.deref(pointer, &index)
    }
}

/// An instruction, its opcode with all suffixes, and without any.
fn parts(text: &str) -> (&str, &str, &str) {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}'));
    let opcode = text.split(char::is_whitespace).next().unwrap_or_default();
    (text, opcode, opcode.split('.').next().unwrap_or_default())
}

/// Only loads that order or that cannot be repeated at will keep a loop alive.
fn strength(opcode: &str) -> Strength {
    let strong = [".volatile", ".relaxed", ".acquire", ".mmio"];
    if strong.iter().any(|it| opcode.contains(it)) {
        Strength::Strong
    } else {
        Strength::Weak
    }
}

/// Whether an instruction does more than compute a value: what is not known does.
fn has_effect(text: &str) -> bool {
    let (text, opcode, operation) = parts(text);
    match operation {
        "" => false,
        "mov" => text.contains("clock") || text.contains("globaltimer"),
        "ld" | "ldu" => strength(opcode) == Strength::Strong,
        "setp" | "selp" | "add" | "sub" | "mul" | "mad" | "and" | "or" | "xor" | "not" | "shl" | "shr"
        | "cvt" | "cvta" | "min" | "max" => false,
        _ => !text.starts_with("//"),
    }
}

/// A label, and a branch back to it.
fn loops(text: &str) -> bool {
    let mut labels = text.match_indices(':').filter_map(|(at, _)| {
        let name = text[..at]
            .rsplit(|it: char| !it.is_alphanumeric() && !"_$%{}=".contains(it))
            .next()?;
        (!name.is_empty()).then_some((at, name))
    });
    labels.any(|(at, name)| {
        text[at..]
            .split(';')
            .any(|it| it.contains("bra") && it.trim_end().ends_with(name))
    })
}

/// The operand in `[%n]`, and whether an offset is added to it.
fn address_of(text: &str) -> Option<(usize, bool)> {
    let (_, after) = text.split_once('[')?;
    let (inside, _) = after.split_once(']')?;
    Some((operand_numbers(inside).next()?, inside.contains('+')))
}

/// The numbers of the operands `%n` in a text.
fn operand_numbers(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split('%').skip(1).filter_map(|part| {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        part[..digits].parse().ok()
    })
}

fn set_outputs(text: &str, results: &mut [Option<Sym>], value: &Sym) {
    let head = text.split('[').next().unwrap_or_default();
    for index in operand_numbers(head) {
        if let Some(result) = results.get_mut(index) {
            *result = Some(Rc::clone(value));
        }
    }
}

/// An integer after the address, as in `st.global.u32 [%0], 1`.
fn literal(text: &str) -> Option<Sym> {
    let value = text.trim().trim_start_matches(',').trim();
    value.parse().ok().map(int)
}
