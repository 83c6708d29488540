//! Expressions: numbers computed from places and constants, without effects.

use super::{Generator, Mode};

/// Literals at and around the ends of types.
const LARGE: [&str; 16] = [
    "127",
    "128",
    "255",
    "256",
    "-128",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "4294967295u",
    "3000000000u",
    "-2147483647",
    "1099511627776LL",
    "-1",
    "0xffu",
    "18446744073709551615ull",
];

impl Generator<'_> {
    /// An expression of any kind of number.
    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.one_in(4) {
            return self.atom();
        }
        let deeper = depth - 1;
        match self.below(16) {
            0..=5 => self.arithmetic(deeper),
            6 => self.condition(depth),
            7 => {
                let (condition, then, otherwise) = (
                    self.condition(deeper),
                    self.expression(deeper),
                    self.expression(deeper),
                );
                format!("({condition} ? {then} : {otherwise})")
            }
            8..=9 => {
                let (ty, inner) = (self.number_type(), self.expression(deeper));
                match self.below(3) {
                    0 => format!("static_cast<{ty}>({inner})"),
                    1 => format!("({ty})({inner})"),
                    _ if ty.contains(' ') => format!("({ty})({inner})"),
                    _ => format!("{ty}({inner})"),
                }
            }
            10 => {
                let operator = self.choose(&["-", "~", "!", "+"]);
                let inner = self.expression(deeper);
                format!("({operator}({inner}))")
            }
            11..=12 => self.pure_call(deeper),
            13 => {
                let ty = self.choose(&["int", "unsigned", "long long"]);
                let function = self.choose(&["std::max", "std::min"]);
                let (left, right) = (self.expression(deeper), self.expression(deeper));
                format!("{function}<{ty}>({left}, {right})")
            }
            14 => {
                let ty = self.number_type();
                format!("static_cast<int>(sizeof({ty}))")
            }
            _ => self.atom(),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        let left = self.expression(depth);
        match self.below(12) {
            0..=2 => format!("({left} + {})", self.expression(depth)),
            3..=4 => format!("({left} - {})", self.expression(depth)),
            5 => format!("({left} * {})", 2 + self.below(5)),
            6 => format!("({left} / {})", 2 + self.below(7)),
            7 => format!("({left} % {})", 2 + self.below(9)),
            8 => format!(
                "(({left}) & {})",
                self.choose(&["1", "7", "15", "0xff", "0xf0u", "~3"])
            ),
            9 => {
                let operator = self.choose(&["|", "^"]);
                format!("(({left}) {operator} {})", self.expression(depth))
            }
            10 => format!("(({left}) >> {})", 1 + self.below(4)),
            _ => format!("((({left}) & 0xffff) << {})", 1 + self.below(6)),
        }
    }

    /// An expression that is true or false.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let deeper = depth.saturating_sub(1);
        match self.below(10) {
            0..=6 => {
                let operator = self.choose(&["<", ">", "<=", ">=", "==", "!="]);
                let (left, right) = (self.expression(deeper), self.expression(deeper));
                format!("({left} {operator} {right})")
            }
            7..=8 if depth > 0 => {
                let operator = self.choose(&["&&", "||"]);
                let (left, right) = (self.condition(deeper), self.condition(deeper));
                format!("({left} {operator} {right})")
            }
            _ => format!("(({}) % {} != 0)", self.expression(deeper), 2 + self.below(3)),
        }
    }

    pub(super) fn literal(&mut self) -> String {
        match self.below(10) {
            0..=6 => self.below(40).to_string(),
            7 => format!("{}", -(self.below(20) as i64)),
            8 => self
                .choose(&[
                    "'a'", "true", "false", "0x1f", "7u", "12LL", "'\\n'", "1'000", "010", "0b101",
                ])
                .to_owned(),
            _ => self.choose(&LARGE).to_owned(),
        }
    }

    fn atom(&mut self) -> String {
        if self.open
            && !self.one_in(4)
            && let Some(place) = self.some_place(|_| true)
        {
            return place.text;
        }
        if !self.constants.is_empty() && self.one_in(3) {
            let constants = self.constants.clone();
            return self.choose(&constants);
        }
        let literal = self.literal();
        if literal.starts_with('-') {
            format!("({literal})")
        } else {
            literal
        }
    }

    fn pure_call(&mut self, depth: usize) -> String {
        let pure: Vec<_> = self.functions.iter().filter(|it| it.pure).cloned().collect();
        if pure.is_empty() || !self.open {
            return self.atom();
        }
        let function = self.choose(&pure);
        let given = function.params.len() - self.below(function.defaults + 1);
        let arguments: Vec<String> = function.params[..given]
            .iter()
            .map(|(_, ty)| format!("static_cast<{ty}>({})", self.expression(depth)))
            .collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// A call of a function that may change something; `None` where nothing fits its parameters.
    pub(super) fn call(&mut self) -> Option<(String, &'static str)> {
        let functions = self.functions.clone();
        if functions.is_empty() {
            return None;
        }
        let function = self.choose(&functions);
        let given = function.params.len() - self.below(function.defaults + 1);
        let mut arguments = Vec::new();
        for (mode, ty) in &function.params[..given] {
            let fits = |place: &super::Place| place.ty == *ty && place.writable && place.stable;
            arguments.push(match mode {
                Mode::Value => self.expression(1),
                Mode::ConstReference => self.expression(2),
                Mode::Reference => self.some_place(fits)?.text,
                Mode::Pointer => format!("&{}", self.some_place(fits)?.text),
            });
        }
        // Overloads are told apart by the types of their arguments, and templates take their parameters from them.
        if function.name.starts_with("over") || function.name.starts_with("generic") {
            for (argument, (_, ty)) in arguments.iter_mut().zip(&function.params) {
                *argument = format!("static_cast<{ty}>({argument})");
            }
        }
        Some((
            format!("{}({})", function.name, arguments.join(", ")),
            function.result,
        ))
    }
}
