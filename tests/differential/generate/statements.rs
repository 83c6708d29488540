//! Statements: declarations, assignments, branches, loops, calls, lambdas.

use super::Generator;

impl Generator<'_> {
    /// One statement, with all that stands in it.
    pub(super) fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        let nested = self.depth < 3;
        match self.below(46) {
            0..=4 => self.declaration(),
            5..=8 => self.assignment(),
            9..=12 => self.compound_assignment(),
            13..=15 => self.increment(),
            16..=21 => self.observation(),
            22..=24 if nested => self.branch(),
            25..=28 if nested => self.repetition(),
            29 if nested => self.selection(),
            30..=32 => self.calling(),
            33..=34 => self.object(),
            35 => self.array(),
            36..=37 => self.indirection(),
            38..=41 => self.of_the_library(),
            42..=43 => self.lambda(),
            44 => self.effects_inside(),
            45 if nested => self.inner_scope(),
            _ => self.assignment(),
        }
    }

    fn observation(&mut self) {
        let value = if self.one_in(3) {
            self.expression(2)
        } else {
            self.some_place(|_| true)
                .map_or_else(|| "1".to_owned(), |it| it.text)
        };
        say!(self, "observe({value});");
    }

    /// Observes the places that were declared last.
    pub(super) fn observe_places(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(place) = self.some_place(|_| true) {
                say!(self, "observe({});", place.text);
            }
        }
    }

    fn declaration(&mut self) {
        let (ty, value) = (self.number_type(), self.expression(2));
        let name = self.name("v");
        let constant = self.one_in(8);
        let written = if constant {
            format!("const {ty}")
        } else {
            ty.to_owned()
        };
        let text = match self.below(4) {
            // Two pairs of parentheses: with one it may be a function that is declared.
            0 => format!("{written} {name}(({value}));"),
            1 => format!("{written} {name}{{static_cast<{ty}>({value})}};"),
            2 => format!(
                "{}auto {name} = static_cast<{ty}>({value});",
                if constant { "const " } else { "" }
            ),
            _ => format!("{written} {name} = {value};"),
        };
        self.line(text);
        self.add(name, ty, !constant, true);
    }

    fn target(&mut self) -> Option<super::Place> {
        self.some_place(|it| it.writable)
    }

    fn assignment(&mut self) {
        let Some(target) = self.target() else {
            return self.declaration();
        };
        let value = self.expression(2);
        say!(self, "{} = {value};", target.text);
    }

    fn compound_assignment(&mut self) {
        let Some(target) = self.target() else {
            return self.declaration();
        };
        let (name, ty) = (target.text, target.ty);
        let value = self.expression(1);
        let text = match self.below(9) {
            0..=2 => format!("{name} += {value};"),
            3 => format!("{name} -= {value};"),
            4 if ty != "bool" => format!("{name} *= {};", 1 + self.below(4)),
            5 if ty != "bool" => format!("{name} /= {};", 2 + self.below(4)),
            6 if ty != "bool" => format!("{name} %= {};", 3 + self.below(9)),
            7 => {
                let operator = self.choose(&["|=", "&=", "^="]);
                format!("{name} {operator} {value};")
            }
            _ if ty != "bool" => format!("{name} >>= {};", 1 + self.below(3)),
            _ => format!("{name} = !{name};"),
        };
        self.line(text);
    }

    fn increment(&mut self) {
        let Some(target) = self.some_place(|it| it.writable && it.ty != "bool") else {
            return self.declaration();
        };
        let name = target.text;
        let operator = self.choose(&["++", "--"]);
        let text = if self.one_in(2) {
            format!("({name}){operator}")
        } else {
            format!("{operator}({name})")
        };
        if self.one_in(3) {
            let (ty, variable) = (self.number_type(), self.name("v"));
            say!(self, "{ty} {variable} = {text};");
            self.add(variable, ty, true, true);
        } else {
            say!(self, "{text};");
        }
    }

    pub(super) fn statements(&mut self, count: usize) {
        self.depth += 1;
        for _ in 0..count {
            self.statement();
        }
        self.depth -= 1;
    }

    fn branch(&mut self) {
        let condition = self.condition(2);
        let head = if self.one_in(6) {
            let (name, ty) = (self.name("c"), self.number_type());
            let value = self.expression(1);
            format!("if ({ty} {name} = {value}; {name} > 3 || {condition}) {{")
        } else {
            format!("if ({condition}) {{")
        };
        let count = 1 + self.below(3);
        let tail = match self.below(3) {
            0 => "}",
            _ => "} else {",
        };
        self.block(&head, tail, |it| it.statements(count));
        if tail != "}" {
            let count = 1 + self.below(2);
            self.indent += 1;
            let places = self.places.clone();
            self.statements(count);
            self.places = places;
            self.indent -= 1;
            self.line("}");
        }
    }

    fn repetition(&mut self) {
        let count = match self.below(10) {
            0..=6 => 1 + self.below(5),
            7..=8 => 8 + self.below(8),
            _ => 30 + self.below(40),
        };
        let name = self.name("i");
        let outer = std::mem::replace(&mut self.in_loop, true);
        match self.below(6) {
            0..=1 => {
                let ty = self.choose(&["int", "unsigned", "std::size_t", "short", "unsigned char"]);
                let head = format!("for ({ty} {name} = 0; {name} < {count}; ++{name}) {{");
                self.body(&head, "}", &name, ty);
            }
            2 => {
                let step = 1 + self.below(3);
                let head = format!(
                    "for (int {name} = {}; {name} > 0; {name} -= {step}) {{",
                    count * step
                );
                self.body(&head, "}", &name, "int");
            }
            3 => {
                let ty = self.choose(&["int", "unsigned"]);
                say!(self, "{ty} {name} = {count};");
                let head = format!("while ({name}-- > 0) {{");
                self.body(&head, "}", &name, ty);
                self.add(name, ty, true, true);
            }
            4 => {
                say!(self, "int {name} = 0;");
                let tail = format!("}} while (++{name} < {count});");
                self.body("do {", &tail, &name, "int");
                self.add(name, "int", true, true);
            }
            _ => {
                let (array, ty) = (self.name("a"), self.number_type());
                let values = self.literals(2 + count % 5, ty);
                say!(self, "{ty} {array}[] = {{{values}}};");
                let by = self.choose(&["", "&", "const auto&"]);
                let declared = if by.contains("auto") {
                    by.to_owned()
                } else {
                    format!("{ty}{by}")
                };
                let places = self.places.len();
                if by == "&" {
                    self.add(name.clone(), ty, true, true);
                }
                self.body(&format!("for ({declared} {name} : {array}) {{"), "}", &name, ty);
                self.places.truncate(places);
                (0..2).for_each(|it| self.add(format!("{array}[{it}]"), ty, true, true));
            }
        }
        self.in_loop = outer;
    }

    /// The body of a loop; its counter can be read.
    fn body(&mut self, head: &str, tail: &str, counter: &str, ty: &'static str) {
        let leaves = self.below(6);
        let count = 1 + self.below(3);
        self.block(head, tail, |it| {
            it.add(counter, ty, false, false);
            it.statements(count);
            if leaves == 5 {
                let (condition, how) = (it.condition(1), it.choose(&["break;", "continue;"]));
                say!(it, "if ({condition}) {how}");
                it.statements(1);
            }
        });
    }

    pub(super) fn literals(&mut self, count: usize, ty: &'static str) -> String {
        let values: Vec<String> = (0..count)
            .map(|_| {
                let value = self.literal();
                if ty == "int" && value.parse::<i32>().is_ok() {
                    value
                } else {
                    format!("static_cast<{ty}>({value})")
                }
            })
            .collect();
        values.join(", ")
    }

    fn selection(&mut self) {
        let value = self.expression(1);
        let modulus = 2 + self.below(3);
        let outer = self.in_loop;
        self.block(
            &format!("switch (static_cast<int>(({value}) % {modulus})) {{"),
            "}",
            |it| {
                for label in 0..modulus {
                    say!(it, "case {label}: {{");
                    it.indent += 1;
                    let places = it.places.clone();
                    let count = 1 + it.below(2);
                    it.statements(count);
                    it.places = places;
                    if !it.one_in(3) {
                        it.line("break;");
                    }
                    it.indent -= 1;
                    it.line("}");
                }
                if it.one_in(2) {
                    it.line("default:");
                    it.indent += 1;
                    it.assignment_only();
                    it.indent -= 1;
                }
            },
        );
        self.in_loop = outer;
    }

    fn assignment_only(&mut self) {
        let value = self.expression(1);
        let target = self
            .target()
            .map_or_else(|| "(void)0".to_owned(), |it| format!("{} = {value}", it.text));
        say!(self, "{target};");
    }

    fn calling(&mut self) {
        let Some((call, result)) = self.call() else {
            return self.assignment();
        };
        match self.below(4) {
            0 => say!(self, "{call};"),
            1 => {
                let value = self
                    .target()
                    .map_or_else(|| call.clone(), |it| format!("{} = {call}", it.text));
                say!(self, "{value};");
            }
            2 => say!(self, "observe({call});"),
            _ => {
                let name = self.name("v");
                let ty = if self.one_in(2) { "auto" } else { result };
                say!(self, "{ty} {name} = {call};");
                self.add(name, result, true, true);
            }
        }
    }

    fn lambda(&mut self) {
        let (name, ty, result) = (self.name("f"), self.number_type(), self.number_type());
        let parameter = self.name("p");
        let writes = self.one_in(2);
        let head = match (writes, self.below(3)) {
            (true, _) => format!("auto {name} = [&]({ty} {parameter}) -> {result} {{"),
            (false, 0) => format!("auto {name} = [=, own = 3]({ty} {parameter}) mutable -> {result} {{"),
            (false, 1) => format!("auto {name} = [=]({ty} {parameter}) -> {result} {{"),
            (false, _) => format!("auto {name} = [&]({ty} {parameter}) -> {result} {{"),
        };
        let outer = std::mem::replace(&mut self.in_loop, false);
        self.block(&head, "};", |it| {
            if head.contains("[=") {
                // A `unique_ptr` cannot be captured by value, and the copy of a map is constant.
                it.places
                    .retain(|place| !place.text.starts_with("*n") && !place.text.starts_with('y'));
            }
            if !writes {
                it.places.iter_mut().for_each(|place| place.writable = false);
            }
            it.add(parameter, ty, true, true);
            if head.contains("own") {
                it.line("own += 2;");
                it.add("own", "int", true, true);
            }
            let count = 1 + it.below(2);
            it.statements(count);
            let value = it.expression(2);
            say!(it, "return {value};");
        });
        self.in_loop = outer;
        let callee = if self.one_in(4) {
            let holder = self.name("g");
            say!(self, "std::function<{result}({ty})> {holder} = {name};");
            holder
        } else {
            name
        };
        for _ in 0..=self.below(2) {
            let (argument, variable) = (self.expression(1), self.name("v"));
            say!(self, "{result} {variable} = {callee}({argument});");
            self.add(variable, result, true, true);
            self.observation();
        }
    }

    /// Effects where C++ orders them: behind `&&`, `||`, `?:`, `,` and in conditions.
    fn effects_inside(&mut self) {
        let Some(target) = self.some_place(|it| it.writable && it.ty != "bool") else {
            return self.declaration();
        };
        let (name, condition, value) = (target.text, self.condition(1), self.literal());
        let variable = self.name("v");
        let text = match self.below(6) {
            0 => format!("bool {variable} = {condition} && (({name} = {value}) != 0);"),
            1 => format!("bool {variable} = {condition} || (({name})++ > {value});"),
            2 => format!("int {variable} = {condition} ? static_cast<int>(++{name}) : 40;"),
            3 => format!("int {variable} = ({name} = {value}, static_cast<int>({name}) + 1);"),
            4 => format!("int {variable} = 1; if (({name} -= 2) > {value}) {variable} = 7;"),
            _ => format!("int {variable} = ({condition} ? {name} : {name})++ != 0 ? 5 : 6;"),
        };
        self.line(text);
        self.add(variable, "int", false, false);
        self.add(name, target.ty, true, target.stable);
        self.observe_places(1);
    }

    /// A scope in which a name means something else.
    fn inner_scope(&mut self) {
        let plain = |it: &super::Place| {
            it.text.starts_with('v') && it.text[1..].bytes().all(|it| it.is_ascii_digit())
        };
        let Some(outer) = self.some_place(plain) else {
            return self.assignment();
        };
        let (ty, value) = (self.number_type(), self.literal());
        let count = 1 + self.below(3);
        self.block("{", "}", |it| {
            it.drop_places(&outer.text);
            say!(it, "{ty} {} = {value};", outer.text);
            it.add(outer.text.clone(), ty, true, true);
            it.statements(count);
        });
        self.add(outer.text, outer.ty, outer.writable, outer.stable);
    }
}
