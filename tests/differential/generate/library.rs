//! What host code uses of the standard library.

use super::Generator;

impl Generator<'_> {
    pub(super) fn of_the_library(&mut self) {
        match self.below(12) {
            0..=2 => self.vector(),
            3 => self.std_array(),
            4 => self.pair(),
            5 => self.tuple(),
            6 => self.optional(),
            7 => self.unique_pointer(),
            8 => self.shared_pointer(),
            9 => self.string(),
            10 => self.map(),
            _ => self.algorithm(),
        }
        self.observe_places(2);
    }

    fn vector(&mut self) {
        let (name, ty, count) = (self.name("w"), self.number_type(), 2 + self.below(4));
        // The elements of a vector of bools are no numbers.
        let ty = if ty == "bool" { "int" } else { ty };
        let values = self.literals(count, ty);
        let mut length = count;
        if self.one_in(4) {
            say!(self, "std::vector<{ty}> {name}({count}, {});", self.below(50));
        } else {
            say!(self, "std::vector<{ty}> {name}{{{values}}};");
        }
        for _ in 0..1 + self.below(4) {
            let value = self.literals(1, ty);
            match self.below(9) {
                0..=1 => {
                    let how = self.choose(&["push_back", "emplace_back"]);
                    say!(self, "{name}.{how}({value});");
                    length += 1;
                }
                2 if length > 1 => {
                    say!(self, "{name}.pop_back();");
                    length -= 1;
                }
                3 if length > 1 => {
                    say!(self, "{name}.erase({name}.begin());");
                    length -= 1;
                }
                4 => {
                    say!(self, "{name}.insert({name}.begin() + 1, {value});");
                    length += 1;
                }
                5 => {
                    length = 1 + self.below(6);
                    say!(self, "{name}.resize({length}, {value});");
                }
                6 => {
                    let copy = self.name("w");
                    let how = self.choose(&["", "std::move"]);
                    say!(self, "std::vector<{ty}> {copy} = {how}({name});");
                    if how.is_empty() {
                        say!(self, "{name}[0] = {value};");
                    } else {
                        say!(self, "{name} = {{{value}, {value}}};");
                        length = 2;
                    }
                    self.add(format!("{copy}[0]"), ty, true, false);
                    self.add(format!("{copy}.size()"), "std::size_t", false, false);
                }
                7 => {
                    let sum = self.name("v");
                    say!(self, "long long {sum} = 0;");
                    say!(self, "for (const auto& it : {name}) {sum} += it;");
                    self.add(sum, "long long", true, true);
                }
                _ => {
                    say!(self, "{name}.back() = {value};");
                    self.add(format!("{name}.front()"), ty, true, false);
                }
            }
        }
        (0..length).for_each(|it| self.add(format!("{name}[{it}]"), ty, true, false));
        self.add(format!("{name}.size()"), "std::size_t", false, false);
        self.add(format!("{name}.back()"), ty, true, false);
    }

    fn std_array(&mut self) {
        let (name, ty) = (self.name("t"), self.number_type());
        let values = self.literals(3, ty);
        say!(self, "std::array<{ty}, 3> {name}{{{values}}};");
        let copy = self.name("t");
        say!(self, "auto {copy} = {name};");
        match self.below(3) {
            0 => say!(self, "{name}.fill({});", self.below(50)),
            1 => say!(self, "std::swap({name}[0], {name}[2]);"),
            _ => say!(self, "{name}.at(1) = {};", self.below(50)),
        }
        for it in 0..3 {
            self.add(format!("{name}[{it}]"), ty, true, true);
            self.add(format!("{copy}[{it}]"), ty, true, true);
        }
    }

    fn pair(&mut self) {
        let (name, first, second) = (self.name("d"), self.number_type(), self.number_type());
        let (left, right) = (self.literals(1, first), self.literals(1, second));
        match self.below(3) {
            0 => say!(self, "auto {name} = std::make_pair({left}, {right});"),
            1 => say!(self, "std::pair<{first}, {second}> {name}({left}, {right});"),
            _ => say!(self, "std::pair<{first}, {second}> {name}{{{left}, {right}}};"),
        }
        match self.below(3) {
            0 => {
                let (one, two) = (self.name("v"), self.name("v"));
                let by = self.choose(&["", "&"]);
                say!(self, "auto{by} [{one}, {two}] = {name};");
                say!(self, "{one} = {};", self.below(20));
                self.add(one, first, true, false);
                self.add(two, second, true, false);
            }
            1 => {
                let other = self.name("d");
                say!(self, "auto {other} = {name};");
                say!(self, "{other}.first = {};", self.below(30));
                say!(self, "std::swap({name}, {other});");
                self.add(format!("{other}.first"), first, true, false);
            }
            _ => {}
        }
        // `make_pair(7, …)` has the types of its arguments.
        self.add(format!("{name}.first"), first, true, false);
        self.add(format!("{name}.second"), second, true, false);
    }

    fn tuple(&mut self) {
        let (name, first, second) = (self.name("e"), self.number_type(), self.number_type());
        let (left, right, last) = (self.literals(1, first), self.literals(1, second), self.below(90));
        say!(
            self,
            "std::tuple<{first}, {second}, int> {name}({left}, {right}, {last});"
        );
        if self.one_in(2) {
            say!(self, "std::get<2>({name}) += 5;");
        } else {
            let (one, two, three) = (self.name("v"), self.name("v"), self.name("v"));
            say!(self, "{first} {one} = 0; {second} {two} = 0; int {three} = 0;");
            say!(self, "std::tie({one}, {two}, {three}) = {name};");
            self.add(one, first, true, true);
            self.add(two, second, true, true);
            self.add(three, "int", true, true);
        }
        self.add(format!("std::get<0>({name})"), first, true, false);
        self.add(format!("std::get<2>({name})"), "int", true, false);
    }

    fn optional(&mut self) {
        let (name, ty) = (self.name("o"), self.number_type());
        let value = self.literals(1, ty);
        if self.one_in(2) {
            say!(self, "std::optional<{ty}> {name};");
            say!(self, "observe({name}.has_value() ? 1 : 2);");
            if self.one_in(2) {
                let condition = self.condition(1);
                say!(self, "if ({condition}) {name} = {value};");
                let fallback = self.literals(1, ty);
                self.add(format!("{name}.value_or({fallback})"), ty, false, false);
                return self.add(format!("({name} ? 30 : 40)"), "int", false, false);
            }
            say!(self, "{name} = {value};");
        } else {
            say!(self, "std::optional<{ty}> {name} = {value};");
            if self.one_in(2) {
                say!(self, "{name}.reset();");
                say!(self, "{name}.emplace({value});");
            }
        }
        self.add(format!("*{name}"), ty, true, false);
        self.add(format!("{name}.value()"), ty, true, false);
    }

    fn unique_pointer(&mut self) {
        let (name, ty) = (self.name("n"), self.number_type());
        let value = self.literals(1, ty);
        say!(self, "auto {name} = std::make_unique<{ty}>({value});");
        match self.below(3) {
            0 => {
                let other = self.name("n");
                say!(self, "std::unique_ptr<{ty}> {other} = std::move({name});");
                say!(self, "observe({name} ? 3 : 4);");
                self.add(format!("*{other}"), ty, true, false);
            }
            1 => {
                let value = self.literals(1, ty);
                say!(self, "{name}.reset(new {ty}({value}));");
                self.add(format!("*{name}"), ty, true, false);
            }
            _ => self.add(format!("*{name}"), ty, true, false),
        }
    }

    fn shared_pointer(&mut self) {
        let (name, ty) = (self.name("n"), self.number_type());
        let (value, other) = (self.literals(1, ty), self.name("n"));
        say!(self, "auto {name} = std::make_shared<{ty}>({value});");
        say!(self, "std::shared_ptr<{ty}> {other} = {name};");
        say!(self, "*{other} = {};", self.below(50));
        self.add(format!("{name}.use_count()"), "long long", false, false);
        if self.one_in(2) {
            say!(self, "{other}.reset();");
        } else {
            self.add(format!("*{other}"), ty, true, false);
        }
        self.add(format!("*{name}"), ty, true, false);
    }

    fn string(&mut self) {
        let name = self.name("x");
        let word = self.choose(&["kernel", "a", "", "stream 7"]);
        say!(self, "std::string {name} = \"{word}\";");
        match self.below(5) {
            0 => say!(self, "{name} += \"end\";"),
            1 => say!(self, "{name}.push_back('q');"),
            2 => say!(
                self,
                "{name} = {name} + {name} + std::to_string({});",
                self.below(300)
            ),
            3 => say!(self, "{name}.clear();"),
            _ => {
                let copy = self.name("x");
                say!(self, "std::string {copy} = {name}; {copy} += '!';");
                self.add(format!("({copy} == {name} ? 5 : 6)"), "int", false, false);
            }
        }
        self.add(format!("{name}.size()"), "std::size_t", false, false);
        self.add(format!("({name}.empty() ? 8 : 9)"), "int", false, false);
    }

    fn map(&mut self) {
        let (name, ty) = (self.name("y"), self.number_type());
        let values = self.literals(1, ty);
        let key = 2 + self.below(3);
        say!(
            self,
            "std::map<int, {ty}> {name}{{{{1, {values}}}, {{2, static_cast<{ty}>(5)}}}};"
        );
        let value = self.literals(1, ty);
        match self.below(5) {
            0 => say!(self, "{name}[{key}] = {value};"),
            1 => say!(self, "{name}.erase({key});"),
            2 => say!(self, "{name}.insert({{{key}, {value}}});"),
            3 => say!(self, "{name}[{key}] += 3;"),
            _ => {
                let sum = self.name("v");
                say!(self, "long long {sum} = 0;");
                say!(
                    self,
                    "for (const auto& [key, value] : {name}) {sum} += key * 2 + value;"
                );
                self.add(sum, "long long", true, true);
            }
        }
        self.add(format!("{name}.size()"), "std::size_t", false, false);
        let counted = self.below(4);
        self.add(format!("{name}.count({counted})"), "std::size_t", false, false);
        self.add(format!("{name}[1]"), ty, true, false);
    }

    fn algorithm(&mut self) {
        let (name, ty) = (
            self.name("a"),
            self.choose(&["int", "unsigned", "short", "long long"]),
        );
        let values = self.literals(4, ty);
        say!(self, "{ty} {name}[4] = {{{values}}};");
        let ends = format!("{name}, {name} + 4");
        let parameter = self.below(9);
        match self.below(6) {
            0 => say!(self, "std::sort({ends});"),
            1 => say!(self, "std::fill({ends}, {parameter});"),
            2 => say!(self, "std::reverse({ends});"),
            3 => {
                let sum = self.name("v");
                say!(self, "long long {sum} = std::accumulate({ends}, {parameter}LL);");
                self.add(sum, "long long", true, true);
            }
            4 => say!(
                self,
                "std::for_each({ends}, []({ty}& it) {{ it += {parameter}; }});"
            ),
            _ => say!(self, "std::iota({ends}, {parameter});"),
        }
        (0..4).for_each(|it| self.add(format!("{name}[{it}]"), ty, true, true));
    }
}
