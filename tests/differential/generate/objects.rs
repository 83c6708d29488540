//! Objects, arrays, references and pointers.

use super::{Generator, Place, Struct};

impl Generator<'_> {
    fn add_object(&mut self, name: &str, it: &Struct, stable: bool) {
        for (path, ty, addressable) in &it.numbers {
            self.add(format!("{name}{path}"), ty, true, stable && *addressable);
        }
    }

    /// A struct: made, copied, changed, handed over.
    pub(super) fn object(&mut self) {
        let structs = self.structs.clone();
        if structs.is_empty() {
            return self.array();
        }
        let it = self.choose(&structs);
        let (name, ty) = (self.name("s"), it.name.clone());
        match &it.constructor {
            Some(params) => {
                let value = self.literals(1, params[0]);
                let text = match self.below(3) {
                    0 => format!("{ty} {name}({value});"),
                    1 => format!("{ty} {name}{{{value}}};"),
                    _ => format!("auto {name} = {ty}({value});"),
                };
                self.line(text);
            }
            None => {
                say!(self, "{ty} {name}{{}};");
                for (path, number, _) in &it.numbers {
                    let value = self.literals(1, number);
                    say!(self, "{name}{path} = {value};");
                }
            }
        }
        self.add_object(&name, &it, true);
        for _ in 0..1 + self.below(2) {
            self.with_object(&name, &it);
        }
    }

    fn with_object(&mut self, name: &str, it: &Struct) {
        let ty = &it.name;
        match self.below(8) {
            0..=2 if !it.methods.is_empty() => {
                let (method, _, result, _) = self.choose(&it.methods);
                let (argument, variable) = (self.expression(1), self.name("v"));
                let arrow = if self.one_in(4) {
                    format!("(&{name})->")
                } else {
                    format!("{name}.")
                };
                say!(self, "{result} {variable} = {arrow}{method}({argument});");
                self.add(variable, result, true, true);
                self.observe_places(1);
            }
            3 => {
                let copy = self.name("s");
                let how = self.choose(&["", "std::move"]);
                say!(self, "{ty} {copy} = {how}({name});");
                self.change(name, it);
                self.add_object(&copy, it, true);
                self.observe_places(2);
            }
            4 => {
                let other = self.name("s");
                say!(self, "{ty} {other}({name});");
                self.change(&other, it);
                let how = if it.plain { self.below(3) } else { self.below(2) };
                let text = match how {
                    0 => format!("std::swap({name}, {other});"),
                    1 => format!("{name} = {other};"),
                    _ => format!("std::memcpy(&{name}, &{other}, sizeof({ty}));"),
                };
                self.line(text);
                self.add_object(&other, it, true);
                self.observe_places(2);
            }
            5 => {
                let pointer = self.name("q");
                say!(self, "{ty}* {pointer} = &{name};");
                for (path, number, _) in &it.numbers {
                    self.add(format!("{pointer}->{}", &path[1..]), number, true, false);
                }
                self.assignment_to(pointer.as_str());
            }
            6 => {
                let reference = self.name("r");
                say!(self, "{ty}& {reference} = {name};");
                self.add_object(&reference, it, true);
                self.assignment_to(&reference);
            }
            _ => self.change(name, it),
        }
    }

    fn assignment_to(&mut self, name: &str) {
        let value = self.literal();
        if let Some(target) = self.some_place(|it| it.text.starts_with(name) && it.writable) {
            say!(self, "{} = {value};", target.text);
        }
        self.observe_places(1);
    }

    fn change(&mut self, name: &str, it: &Struct) {
        let (path, ..) = self.choose(&it.numbers);
        let value = self.literal();
        say!(self, "{name}{path} = {value};");
    }

    /// An array, read and stored to at fixed and computed indices.
    pub(super) fn array(&mut self) {
        let (name, ty, count) = (self.name("a"), self.number_type(), 3 + self.below(3));
        let fewer = self.below(2);
        let values = self.literals(count - fewer, ty);
        let values = if self.one_in(2) {
            values
        } else {
            self.literals(count, ty)
        };
        if self.one_in(5) && ty != "bool" {
            say!(self, "{ty} {name}[2][3] = {{{{1, 2, 3}}, {{4, 5, 6}}}};");
            self.add(format!("{name}[1][2]"), ty, true, true);
            self.add(format!("{name}[0][1]"), ty, true, true);
            return self.observe_places(1);
        }
        say!(self, "{ty} {name}[{count}] = {{{values}}};");
        (0..count).for_each(|it| self.add(format!("{name}[{it}]"), ty, true, true));
        let index = self.expression(1);
        match self.below(4) {
            0 => {
                let value = self.literal();
                say!(
                    self,
                    "{name}[static_cast<unsigned>({index}) % {count}] = {value};"
                );
            }
            1 => {
                let last = count - 1;
                say!(self, "std::memmove({name} + 1, {name}, {last} * sizeof({ty}));");
            }
            2 => say!(self, "std::swap({name}[0], {name}[{}]);", count - 1),
            _ => {
                let pointer = self.name("q");
                let start = self.below(2);
                say!(self, "{ty}* {pointer} = {name} + {start};");
                let step = self.choose(&["++", " += 1"]);
                say!(self, "{pointer}{step};");
                say!(self, "*{pointer} = {};", self.below(60));
                self.add(format!("*{pointer}"), ty, true, false);
                self.add(format!("{pointer}[-1]"), ty, true, false);
                say!(self, "observe({pointer} - {name});");
            }
        }
        self.observe_places(2);
    }

    /// References, pointers, bytes of numbers, unions.
    pub(super) fn indirection(&mut self) {
        let Some(place) = self.some_place(|it| it.writable && it.stable) else {
            return self.array();
        };
        let Place { text, ty, .. } = place;
        let value = self.literal();
        match self.below(7) {
            0..=1 => {
                let name = self.name("r");
                let by = self.choose(&[ty, "auto"]);
                say!(self, "{by}& {name} = {text};");
                say!(self, "{name} = {value};");
                self.add(name, ty, true, true);
            }
            2..=3 => {
                let name = self.name("q");
                say!(self, "{ty}* {name} = &{text};");
                say!(self, "*{name} = {value};");
                if self.one_in(3) {
                    let outer = self.name("q");
                    say!(self, "{ty}** {outer} = &{name};");
                    self.add(format!("**{outer}"), ty, true, false);
                }
                self.add(format!("*{name}"), ty, true, false);
            }
            4 => {
                let name = self.name("b");
                say!(
                    self,
                    "unsigned char* {name} = reinterpret_cast<unsigned char*>(&{text});"
                );
                say!(self, "observe({name}[0]);");
                if ty != "bool" {
                    say!(self, "{name}[0] = {};", self.below(100));
                }
                self.add(text.clone(), ty, true, true);
            }
            5 => {
                let (name, union) = (self.name("u"), self.name("U"));
                say!(self, "union {union} {{ {ty} number; unsigned char bytes[8]; }};");
                say!(self, "{union} {name};");
                say!(self, "{name}.number = {text};");
                self.add(format!("{name}.number"), ty, true, false);
            }
            _ => {
                let name = self.name("v");
                say!(self, "{ty} {name};");
                say!(self, "std::memcpy(&{name}, &{text}, sizeof({ty}));");
                self.add(name, ty, true, true);
            }
        }
        say!(self, "observe({text});");
        self.observe_places(1);
    }
}
