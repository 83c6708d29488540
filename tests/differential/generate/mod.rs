//! Random C++ programs without input and without CUDA: what a seed stands for.
//!
//! A program is text over *places*: everything a number can be read from or stored to, however it is spelled (`x`, `s.a[2]`,
//! `*p`, `std::get<0>(t)`). Each feature declares something and adds its places, so that features meet. Expressions have no
//! effects; effects stand in statements, so no value depends on an order that C++ leaves open. Overflow, shifts and
//! divisions are left to chance: the compiler traps them, and such a program counts as none.

/// Adds a line.
macro_rules! say {
    ($generator:expr, $($text:tt)*) => {{
        let text = format!($($text)*);
        $generator.line(text);
    }};
}

mod expressions;
mod items;
mod library;
mod objects;
mod statements;

use std::fmt::Write as _;

use arbitrary::Unstructured;

use super::compiler::DECLARATION;

/// Random bytes a program is made of; when they run out, the simplest of everything is taken.
const BYTES: usize = 6000;

/// Kinds of numbers, as they are spelled.
pub const NUMBERS: [&str; 16] = [
    "int",
    "unsigned",
    "long long",
    "std::size_t",
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "std::uint8_t",
    "std::int8_t",
    "std::uint16_t",
    "std::int64_t",
    "std::uint64_t",
    "std::int32_t",
    "std::uint32_t",
];

/// The text of the program of a seed.
pub fn program(seed: u64) -> String {
    let bytes = bytes_of(seed);
    let mut generator = Generator::new(&bytes);
    generator.items();
    generator.main();
    generator.text(seed)
}

/// SplitMix64.
pub fn bytes_of(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = state;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    };
    (0..BYTES / 8).flat_map(|_| next().to_le_bytes()).collect()
}

/// Something a number can be read from.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    ty: &'static str,
    /// It can be stored to.
    writable: bool,
    /// It has an address that stays what it is.
    stable: bool,
}

/// How a parameter is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Value,
    Reference,
    ConstReference,
    Pointer,
}

/// A function of the program.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    params: Vec<(Mode, &'static str)>,
    /// How many of the last parameters have defaults.
    defaults: usize,
    result: &'static str,
    /// Calling it changes nothing.
    pure: bool,
}

/// A struct of the program.
#[derive(Clone, Debug)]
struct Struct {
    name: String,
    /// Paths of the numbers in it, from `.` on, with their types and whether they have addresses.
    numbers: Vec<(String, &'static str, bool)>,
    /// How one is made; `None` for an aggregate.
    constructor: Option<Vec<&'static str>>,
    /// How many values stand in the braces of an aggregate.
    fields: usize,
    /// Methods: name, parameter, result, and whether they change the object.
    methods: Vec<(String, &'static str, &'static str, bool)>,
    /// It can be copied byte by byte.
    plain: bool,
}

struct Generator<'a> {
    random: Unstructured<'a>,
    lines: Vec<String>,
    indent: usize,
    names: usize,
    /// Statements that may still be made.
    left: usize,
    depth: usize,
    places: Vec<Place>,
    functions: Vec<Function>,
    structs: Vec<Struct>,
    /// Constant expressions: enumerators, macros, `constexpr` variables.
    constants: Vec<String>,
    /// In a loop that can be left.
    in_loop: bool,
    /// Expressions may call functions and read places; not so in initialisers of globals.
    open: bool,
}

impl<'a> Generator<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Generator {
            random: Unstructured::new(bytes),
            lines: Vec::new(),
            indent: 0,
            names: 0,
            left: 0,
            depth: 0,
            places: Vec::new(),
            functions: Vec::new(),
            structs: Vec::new(),
            constants: Vec::new(),
            in_loop: false,
            open: true,
        }
    }

    fn main(&mut self) {
        self.line("int main() {");
        self.indent += 1;
        self.left = 8 + self.below(14);
        while self.left > 0 {
            self.statement();
        }
        self.observe_places(3);
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn text(&self, seed: u64) -> String {
        let mut text = format!("// seed {seed}\n");
        let headers = [
            "algorithm",
            "array",
            "cstdint",
            "cstring",
            "functional",
            "map",
            "memory",
            "numeric",
            "optional",
            "string",
            "tuple",
            "utility",
            "vector",
        ];
        let body = self.lines.join("\n");
        for header in headers {
            let _ = writeln!(text, "#include <{header}>");
        }
        let _ = writeln!(text, "\n{DECLARATION}\n\n{body}");
        text
    }

    // Chance.

    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.random.int_in_range(0..=count.max(1) - 1).unwrap_or(0)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        let index = self.below(from.len());
        from[index].clone()
    }

    fn number_type(&mut self) -> &'static str {
        if self.one_in(2) {
            "int"
        } else {
            self.choose(&NUMBERS)
        }
    }

    // Text.

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines
            .push(format!("{}{}", "    ".repeat(self.indent), text.as_ref()));
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Lines in braces behind a head, with a scope of their own.
    fn block(&mut self, head: &str, tail: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.indent += 1;
        let places = self.places.clone();
        body(self);
        self.places = places;
        self.indent -= 1;
        self.line(tail);
    }

    // Places.

    fn add(&mut self, text: impl Into<String>, ty: &'static str, writable: bool, stable: bool) {
        let text = text.into();
        self.places.push(Place {
            text,
            ty,
            writable,
            stable,
        });
    }

    /// Nothing that begins with a name, after `*` and parentheses, can be read any more.
    fn drop_places(&mut self, name: &str) {
        let whole = |text: &str| {
            let rest = text.trim_start_matches(['*', '(']).strip_prefix(name);
            rest.is_some_and(|it| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
        };
        self.places.retain(|it| !whole(&it.text));
    }

    fn some_place(&mut self, fits: impl Fn(&Place) -> bool) -> Option<Place> {
        let fitting: Vec<Place> = self.places.iter().filter(|it| fits(it)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        // What was declared last is what the next statements are about.
        let recent = fitting.len().saturating_sub(6);
        let fitting = if self.one_in(3) {
            &fitting[..]
        } else {
            &fitting[recent..]
        };
        Some(self.choose(fitting))
    }
}
