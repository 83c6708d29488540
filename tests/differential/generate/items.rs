//! What stands before `main`: globals, constants, macros, structs, functions, templates.

use super::{Function, Generator, Mode, Struct};

impl Generator<'_> {
    pub(super) fn items(&mut self) {
        for _ in 0..1 + self.below(3) {
            self.global();
        }
        for _ in 0..1 + self.below(4) {
            match self.below(10) {
                0..=1 => self.constant(),
                2..=4 => self.structure(),
                5 => self.pure_function(),
                6 => self.template(),
                7 => self.recursion(),
                8 => self.overloads(),
                _ => self.function(),
            }
            self.line("");
        }
        self.function();
        self.line("");
    }

    fn global(&mut self) {
        let (name, ty) = (self.name("global"), self.number_type());
        let value = self.literals(1, ty);
        match self.below(4) {
            0 => {
                let space = self.name("space");
                say!(self, "namespace {space} {{ {ty} {name} = {value}; }}");
                self.add(format!("{space}::{name}"), ty, true, true);
            }
            1 => {
                let values = self.literals(3, ty);
                say!(self, "{ty} {name}[4] = {{{values}}};");
                (0..4).for_each(|it| self.add(format!("{name}[{it}]"), ty, true, true));
            }
            2 => {
                say!(self, "static {ty} {name};");
                self.add(name, ty, true, true);
            }
            _ => {
                say!(self, "{ty} {name} = {value};");
                self.add(name, ty, true, true);
            }
        }
    }

    fn constant(&mut self) {
        let name = self.name("K");
        match self.below(5) {
            0 => {
                let (first, third) = (self.below(9), 10 + self.below(90));
                say!(
                    self,
                    "enum {name} {{ {name}A = {first}, {name}B, {name}C = {third}, {name}D }};"
                );
                let enumerators = ["A", "B", "C", "D"].map(|it| format!("{name}{it}"));
                self.constants.extend(enumerators);
            }
            1 => {
                let first = self.below(200);
                say!(
                    self,
                    "enum class {name} : unsigned char {{ first = {first}, second }};"
                );
                self.constants.push(format!("static_cast<int>({name}::second)"));
            }
            2 => {
                let value = self.literal();
                say!(self, "#define {name} ({value})");
                self.constants.push(name);
            }
            3 => {
                let by = 1 + self.below(9);
                say!(self, "#define {name}(x, y) ((x) * {by} - (y))");
                let second = self.below(30);
                self.constants.push(format!("{name}(3 + 1, {second})"));
            }
            _ => {
                let (ty, value) = (self.number_type(), self.literal());
                say!(self, "constexpr {ty} {name} = static_cast<{ty}>({value});");
                self.constants.push(name);
            }
        }
    }

    /// A function of its arguments alone.
    fn pure_function(&mut self) {
        let (name, result) = (self.name("pure"), self.number_type());
        let params: Vec<_> = (0..1 + self.below(2))
            .map(|_| (Mode::Value, self.number_type()))
            .collect();
        let defaults = self.below(2);
        let places = std::mem::take(&mut self.places);
        let mut written: Vec<String> = Vec::new();
        for (index, (_, ty)) in params.iter().enumerate() {
            let is_last = index + 1 == params.len();
            let default = if defaults == 1 && is_last {
                format!(" = {}", self.literals(1, ty))
            } else {
                String::new()
            };
            written.push(format!("{ty} p{index}{default}"));
            self.add(format!("p{index}"), ty, false, true);
        }
        let head = format!("{result} {name}({}) {{", written.join(", "));
        self.block(&head, "}", |it| {
            if it.one_in(2) {
                let (condition, value) = (it.condition(1), it.expression(1));
                say!(it, "if ({condition}) return {value};");
            }
            let value = it.expression(2);
            say!(it, "return {value};");
        });
        self.places = places;
        self.functions.push(Function {
            name,
            params,
            defaults,
            result,
            pure: true,
        });
    }

    fn template(&mut self) {
        let name = self.name("generic");
        let places = std::mem::take(&mut self.places);
        self.add("p0", "int", false, true);
        self.add("p1", "int", false, true);
        if self.one_in(2) {
            self.line("template <typename T>");
            self.block(&format!("T {name}(T p0, T p1) {{"), "}", |it| {
                let value = it.expression(2);
                say!(it, "T result = static_cast<T>({value});");
                it.line("result += p1;");
                it.line("return result;");
            });
            for _ in 0..2 {
                let ty = self.number_type();
                let params = vec![(Mode::Value, ty), (Mode::Value, ty)];
                let name = if self.one_in(2) {
                    format!("{name}<{ty}>")
                } else {
                    name.clone()
                };
                self.functions.push(Function {
                    name,
                    params,
                    defaults: 0,
                    result: ty,
                    pure: true,
                });
            }
        } else {
            self.line("template <int N, typename T = int>");
            self.block(&format!("T {name}(T p0, T p1) {{"), "}", |it| {
                let value = it.expression(1);
                say!(it, "return static_cast<T>(N + {value});");
            });
            let number = self.below(9);
            let params = vec![(Mode::Value, "int"), (Mode::Value, "int")];
            self.functions.push(Function {
                name: format!("{name}<{number}>"),
                params,
                defaults: 0,
                result: "int",
                pure: true,
            });
        }
        self.places = places;
    }

    fn recursion(&mut self) {
        let (name, ty) = (self.name("down"), self.choose(&["int", "unsigned", "long long"]));
        let places = std::mem::take(&mut self.places);
        self.add("n", ty, false, true);
        let (end, step) = (self.literals(1, ty), self.expression(1));
        let depth = 2 + self.below(5);
        self.block(&format!("{ty} {name}_({ty} n) {{"), "}", |it| {
            say!(it, "if (n <= 0) return {end};");
            say!(it, "return {name}_(n - 1) + {step};");
        });
        say!(
            self,
            "{ty} {name}({ty} n) {{ return {name}_(n < 0 ? 1 : n % {depth}); }}"
        );
        self.places = places;
        self.functions.push(Function {
            name,
            params: vec![(Mode::Value, ty)],
            defaults: 0,
            result: ty,
            pure: true,
        });
    }

    fn overloads(&mut self) {
        let name = self.name("over");
        for ty in ["int", "unsigned", "long long", "bool", "char", "double"]
            .into_iter()
            .take(2 + self.below(5))
        {
            let value = self.below(100);
            say!(self, "int {name}({ty}) {{ return {value}; }}");
            if ty != "double" {
                let params = vec![(Mode::Value, ty)];
                self.functions.push(Function {
                    name: name.clone(),
                    params,
                    defaults: 0,
                    result: "int",
                    pure: true,
                });
            }
        }
    }

    /// A function that may do anything.
    fn function(&mut self) {
        let (name, result) = (self.name("work"), self.number_type());
        let mut params = Vec::new();
        for _ in 0..1 + self.below(3) {
            let mode = self.choose(&[
                Mode::Value,
                Mode::Value,
                Mode::Reference,
                Mode::ConstReference,
                Mode::Pointer,
            ]);
            params.push((mode, self.number_type()));
        }
        let has_default = params.last().is_some_and(|it| it.0 == Mode::Value) && self.one_in(3);
        let places = self.places.clone();
        let mut written = Vec::new();
        for (index, (mode, ty)) in params.iter().enumerate() {
            let (text, writable) = match mode {
                Mode::Value => (format!("{ty} p{index}"), true),
                Mode::Reference => (format!("{ty}& p{index}"), true),
                Mode::ConstReference => (format!("const {ty}& p{index}"), false),
                Mode::Pointer => (format!("{ty}* p{index}"), true),
            };
            let place = if *mode == Mode::Pointer {
                format!("*p{index}")
            } else {
                format!("p{index}")
            };
            self.add(place, ty, writable, *mode != Mode::ConstReference);
            let default = has_default && index + 1 == params.len();
            written.push(if default {
                format!("{text} = {}", self.literals(1, ty))
            } else {
                text
            });
        }
        let kept = std::mem::replace(&mut self.left, 6);
        let head = format!("{result} {name}({}) {{", written.join(", "));
        self.block(&head, "}", |it| {
            if it.one_in(4) {
                let value = it.below(9);
                say!(it, "static int calls = {value};");
                it.line("calls += 3;");
                it.add("calls", "int", true, true);
            }
            if it.one_in(4) {
                let (condition, value) = (it.condition(1), it.expression(1));
                say!(it, "if ({condition}) return {value};");
            }
            let count = 1 + it.below(4);
            it.statements(count);
            let value = it.expression(2);
            say!(it, "return {value};");
        });
        self.left = kept;
        self.places = places;
        let defaults = usize::from(has_default);
        self.functions.push(Function {
            name,
            params,
            defaults,
            result,
            pure: false,
        });
    }

    fn structure(&mut self) {
        let name = self.name("S");
        let mut it = Struct {
            name: name.clone(),
            numbers: Vec::new(),
            constructor: None,
            fields: 0,
            methods: Vec::new(),
            plain: true,
        };
        let places = self.places.clone();
        say!(self, "struct {name} {{");
        self.indent += 1;
        let mut assigned = Vec::new();
        for index in 0..1 + self.below(4) {
            let ty = self.number_type();
            it.fields += 1;
            match self.below(8) {
                0 if !matches!(ty, "bool") => {
                    let width = 3 + self.below(4);
                    say!(self, "unsigned f{index} : {width};");
                    it.numbers.push((format!(".f{index}"), "unsigned", false));
                    assigned.push((format!("f{index}"), "unsigned"));
                }
                1 => {
                    say!(self, "{ty} f{index}[3];");
                    (0..3).for_each(|at| it.numbers.push((format!(".f{index}[{at}]"), ty, true)));
                    (0..3).for_each(|at| assigned.push((format!("f{index}[{at}]"), ty)));
                }
                2 if self.structs.iter().any(|it| it.constructor.is_none()) => {
                    let aggregates: Vec<Struct> = self
                        .structs
                        .iter()
                        .filter(|it| it.constructor.is_none())
                        .cloned()
                        .collect();
                    let inner = self.choose(&aggregates);
                    say!(self, "{} f{index};", inner.name);
                    for (path, ty, stable) in &inner.numbers {
                        it.numbers.push((format!(".f{index}{path}"), ty, *stable));
                        assigned.push((format!("f{index}{path}"), *ty));
                    }
                }
                3 => {
                    let value = self.literals(1, ty);
                    say!(self, "{ty} f{index} = {value};");
                    it.numbers.push((format!(".f{index}"), ty, true));
                    assigned.push((format!("f{index}"), ty));
                }
                _ => {
                    say!(self, "{ty} f{index};");
                    it.numbers.push((format!(".f{index}"), ty, true));
                    assigned.push((format!("f{index}"), ty));
                }
            }
        }
        let members: Vec<(String, &'static str)> = assigned;
        if self.one_in(2) {
            let ty = self.number_type();
            let (first, rest) = (members[0].0.clone(), &members[1..]);
            let takes_list = !first.contains(['[', '.']);
            let head = if takes_list {
                format!(
                    "explicit {name}({ty} first) : {first}(static_cast<{}>(first)) {{",
                    members[0].1
                )
            } else {
                format!("explicit {name}({ty} first) {{")
            };
            let mut values: Vec<(String, String)> = Vec::new();
            if !takes_list {
                values.push((first, "first".to_owned()));
            }
            for (member, _) in rest {
                values.push((member.clone(), self.below(50).to_string()));
            }
            self.line(head);
            values
                .iter()
                .for_each(|(member, value)| say!(self, "    {member} = {value};"));
            self.line("}");
            it.constructor = Some(vec![ty]);
        }
        if it.constructor.is_some() && self.one_in(3) {
            say!(self, "{name}(const {name}&) = default;");
            let global = self
                .places
                .iter()
                .find(|it| it.writable && it.ty != "bool")
                .cloned();
            if let Some(global) = global {
                say!(self, "~{name}() {{ {} += 1; }}", global.text);
                it.plain = false;
            }
        }
        self.methods(&mut it, &members);
        self.indent -= 1;
        self.line("};");
        self.places = places;
        self.structs.push(it);
    }

    fn methods(&mut self, it: &mut Struct, members: &[(String, &'static str)]) {
        for _ in 0..self.below(3) {
            let (name, parameter, result) = (self.name("m"), self.number_type(), self.number_type());
            let changes = self.one_in(2);
            let places = self.places.clone();
            members
                .iter()
                .for_each(|(member, ty)| self.add(member.clone(), ty, changes, false));
            if !changes {
                self.places.iter_mut().for_each(|it| it.writable = false);
            }
            self.add("p", parameter, true, true);
            let head = format!(
                "{result} {name}({parameter} p){} {{",
                if changes { "" } else { " const" }
            );
            let kept = std::mem::replace(&mut self.left, 3);
            self.block(&head, "}", |it| {
                if changes {
                    it.statements(1);
                    let (member, value) = (it.choose(members).0, it.expression(1));
                    say!(it, "{member} = {value};");
                }
                let value = it.expression(2);
                say!(it, "return {value};");
            });
            self.left = kept;
            self.places = places;
            it.methods.push((name, parameter, result, changes));
        }
    }
}
