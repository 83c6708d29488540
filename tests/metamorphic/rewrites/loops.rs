//! Loops written as other loops.

use std::ops::Range;

use tree_sitter::Node;

use super::super::change::{Change, Piece};
use super::super::code::{Code, Function, Unit, ancestors, children, declared_name, descendants};
use super::super::dice::Dice;
use super::wrap::words;

/// `for` as `while`.
pub fn to_while(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    for (function, node) in loops(code, "for_statement") {
        let Some(it) = For::read(code, function, node) else {
            continue;
        };
        if leaves(code, function, it.body, &["continue_statement"]) {
            continue;
        }
        let header = vec![
            it.text("{ "),
            it.initializer(),
            it.text(" while ("),
            it.condition(),
            it.text(") "),
        ];
        it.write(&mut change, header, "");
    }
    some(change)
}

/// `for` and `while` as a guarded `do`.
pub fn to_do(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let mut all = loops(code, "for_statement");
    all.extend(loops(code, "while_statement"));
    // Inner loops first: where two end at one place, the inner one is closed first.
    all.sort_by_key(|(function, node)| (function.unit, std::cmp::Reverse(node.start_byte())));
    for (function, node) in all {
        if node.kind() == "while_statement" {
            while_to_do(code, function, node, &mut change);
            continue;
        }
        let Some(it) = For::read(code, function, node) else {
            continue;
        };
        if leaves(code, function, it.body, &["continue_statement"]) {
            continue;
        }
        let unit = &code.units[it.file];
        let condition = it.condition.clone().map_or("true", |range| unit.slice(range));
        let tail = format!(" while ({});", without_comments(condition));
        let header = vec![
            it.text("{ "),
            it.initializer(),
            it.text(" if ("),
            it.condition(),
            it.text(") do "),
        ];
        it.write(&mut change, header, &tail);
    }
    some(change)
}

fn while_to_do(code: &Code, function: Function<'_>, node: Node<'_>, change: &mut Change) {
    let (Some(condition), Some(body)) = (
        node.child_by_field_name("condition"),
        node.child_by_field_name("body"),
    ) else {
        return;
    };
    let unit = &code.units[function.unit];
    let declares = descendants(condition)
        .iter()
        .any(|it| it.kind() == "declaration" || it.kind() == "init_statement");
    let range = node.start_byte()..body.start_byte();
    if declares
        || node.has_error()
        || body.kind() != "compound_statement"
        || unit.slice(node.byte_range()).contains("\n#")
    {
        return;
    }
    let origin = Some((function.unit, node.start_byte()));
    let header = vec![
        Piece::Text("{ if ".to_owned(), origin),
        Piece::Kept(function.unit, condition.byte_range()),
        Piece::Text(" do ".to_owned(), origin),
    ];
    change.replace(function.unit, range, header);
    let again = Piece::Text(
        format!(" while {}; }}", without_comments(unit.text(condition))),
        Some((function.unit, node.start_byte())),
    );
    change.replace(function.unit, body.end_byte()..body.end_byte(), vec![again]);
}

/// Counting loops of host code over a range of numbers with iterators of its own.
pub fn to_range_for(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let mut files = Vec::new();
    for (function, node) in loops(code, "for_statement") {
        let counting = For::read(code, function, node).and_then(|it| Some((it.counting(code)?, it)));
        let Some((count, it)) = counting.filter(|_| function.is_host) else {
            continue;
        };
        let unit = &code.units[it.file];
        let text = format!(
            "for ({} {} : CountedRange<{}>{{{}, {}}}) ",
            count.kind, count.name, count.kind, count.from, count.to
        );
        change.rename(it.file, node.start_byte()..it.body.start_byte(), text);
        add_once(&mut files, it.file, unit, &mut change, COUNTED_RANGE);
    }
    some(change)
}

/// Counting loops of host code by `std::for_each` over such iterators.
pub fn to_for_each(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let mut files = Vec::new();
    for (function, node) in loops(code, "for_statement") {
        let counting = For::read(code, function, node).and_then(|it| Some((it.counting(code)?, it)));
        let Some((count, it)) = counting.filter(|_| function.is_host) else {
            continue;
        };
        let exits = [
            "break_statement",
            "return_statement",
            "goto_statement",
            "continue_statement",
        ];
        let unit = &code.units[it.file];
        if leaves(code, function, it.body, &exits)
            || sees_bindings(unit, node, function)
            || uses_returning_macro(code, unit, it.body)
        {
            continue;
        }
        let (kind, name) = (&count.kind, &count.name);
        let text = format!(
            "std::for_each(CountedRange<{kind}>::Iterator{{{}}}, CountedRange<{kind}>::Iterator{{{}}}, [&]({kind} {name}) ",
            count.from, count.to
        );
        change.rename(it.file, node.start_byte()..it.body.start_byte(), text);
        it.close(&mut change, ");");
        add_once(&mut files, it.file, unit, &mut change, COUNTED_RANGE);
    }
    some(change)
}

/// Counting loops of host code, and range-for, by iterators that are written out.
pub fn to_iterators(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let mut files = Vec::new();
    let mut all = loops(code, "for_statement");
    all.extend(loops(code, "for_range_loop"));
    all.sort_by_key(|(function, node)| (function.unit, std::cmp::Reverse(node.start_byte())));
    for (number, (function, node)) in all.into_iter().enumerate() {
        if !function.is_host {
            continue;
        }
        let unit = &code.units[function.unit];
        if node.kind() == "for_range_loop" {
            range_for_to_iterators(unit, function.unit, node, number, &mut change);
            continue;
        }
        let counting = For::read(code, function, node).and_then(|it| Some((it.counting(code)?, it)));
        let Some((count, it)) = counting else { continue };
        let (kind, name) = (&count.kind, &count.name);
        let text = format!(
            "for (CountedRange<{kind}>::Iterator at_{number}{{{}}}; at_{number} != CountedRange<{kind}>::Iterator{{{}}}; ++at_{number}) {{ {kind} {name} = *at_{number}; ",
            count.from, count.to
        );
        change.rename(it.file, node.start_byte()..it.body.start_byte(), text);
        it.close(&mut change, " }");
        add_once(&mut files, it.file, unit, &mut change, COUNTED_RANGE);
    }
    some(change)
}

fn range_for_to_iterators(unit: &Unit, file: usize, node: Node<'_>, number: usize, change: &mut Change) {
    let (Some(declarator), Some(range), Some(body)) = (
        node.child_by_field_name("declarator"),
        node.child_by_field_name("right"),
        node.child_by_field_name("body"),
    ) else {
        return;
    };
    let is_simple = matches!(range.kind(), "identifier" | "field_expression");
    let Some(kind) = node.child_by_field_name("type") else {
        return;
    };
    if !is_simple || node.has_error() || unit.slice(node.byte_range()).contains("\n#") {
        return;
    }
    let text = format!(
        "for (auto at_{number} = std::begin({0}); at_{number} != std::end({0}); ++at_{number}) {{ {1} = *at_{number}; ",
        unit.text(range),
        unit.slice(start_of_type(unit, node, kind)..declarator.end_byte()),
    );
    change.rename(file, node.start_byte()..body.start_byte(), text);
    change.insert(file, body.end_byte(), " }");
    let at = unit.after_includes().unwrap_or(0);
    change.insert(file, at, "#include <iterator>\n");
}

/// `const auto &` starts before the type that the tree names.
fn start_of_type(unit: &Unit, node: Node<'_>, kind: Node<'_>) -> usize {
    let head = unit.slice(node.start_byte()..kind.start_byte());
    let open = head.rfind('(').map_or(0, |it| it + 1);
    node.start_byte() + open
}

const COUNTED_RANGE: &str = "#include <algorithm>
#include <cstddef>
#include <iterator>
#ifndef COUNTED_RANGE
#define COUNTED_RANGE
template <class T> struct CountedRange {
  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = T;
    T value;
    T operator*() const { return value; }
    Iterator &operator++() {
      ++value;
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      ++value;
      return old;
    }
    bool operator==(const Iterator &other) const { return value == other.value; }
    bool operator!=(const Iterator &other) const { return value != other.value; }
  };
  T from, to;
  Iterator begin() const { return Iterator{from}; }
  Iterator end() const { return Iterator{to}; }
};
#endif
";

fn add_once(files: &mut Vec<usize>, file: usize, unit: &Unit, change: &mut Change, text: &str) {
    if !files.contains(&file) {
        files.push(file);
        change.insert(file, unit.after_includes().unwrap_or(0), text);
    }
}

/// A `for` loop taken apart.
struct For<'a> {
    file: usize,
    node: Node<'a>,
    initializer: Option<Range<usize>>,
    condition: Option<Range<usize>>,
    update: Option<Range<usize>>,
    body: Node<'a>,
}

/// A loop over the numbers from one to another.
struct Counting {
    kind: String,
    name: String,
    from: String,
    to: String,
}

impl<'a> For<'a> {
    fn read(code: &Code, function: Function<'_>, node: Node<'a>) -> Option<Self> {
        let range = |name: &str| node.child_by_field_name(name).map(|it| it.byte_range());
        let unit = &code.units[function.unit];
        let body = node.child_by_field_name("body")?;
        let several = descendants(node).iter().any(|it| {
            it.kind() == "comma_expression" && it.parent().is_some_and(|parent| parent.id() == node.id())
        });
        let plain = !node.has_error()
            && !several
            && !unit.text(node).contains("\n#")
            && !unit.slice(node.start_byte()..body.start_byte()).contains("//");
        let labelled = node.parent().is_some_and(|it| it.kind() == "labeled_statement");
        let pragma = unit
            .slice(0..node.start_byte())
            .trim_end()
            .lines()
            .last()
            .is_some_and(|it| it.trim_start().starts_with("#pragma"));
        (plain && !labelled && !pragma).then_some(For {
            file: function.unit,
            node,
            initializer: range("initializer"),
            condition: range("condition"),
            update: range("update"),
            body,
        })
    }

    /// Text that speaks for the loop.
    fn text(&self, text: &str) -> Piece {
        Piece::Text(text.to_owned(), Some((self.file, self.node.start_byte())))
    }

    fn initializer(&self) -> Piece {
        // A declaration ends with its `;`, an expression does not.
        match &self.initializer {
            Some(it) => Piece::Kept(self.file, it.clone()),
            None => Piece::text(""),
        }
    }

    fn condition(&self) -> Piece {
        match &self.condition {
            Some(it) => Piece::Kept(self.file, it.clone()),
            None => Piece::text("true"),
        }
    }

    /// Replaces the head, puts the step at the end of the body and closes the block around the loop.
    fn write(&self, change: &mut Change, mut header: Vec<Piece>, tail: &str) {
        let is_expression = self
            .node
            .child_by_field_name("initializer")
            .is_some_and(|it| it.kind() != "declaration");
        if is_expression {
            header.insert(2, Piece::text(";"));
        }
        let is_block = self.body.kind() == "compound_statement";
        if !is_block {
            header.push(Piece::text("{ "));
        }
        let at = self.body.end_byte() - usize::from(is_block);
        change.replace(self.file, self.node.start_byte()..self.body.start_byte(), header);
        let mut step = vec![Piece::text(" ")];
        if let Some(it) = &self.update {
            step.push(Piece::Kept(self.file, it.clone()));
            step.push(Piece::text("; "));
        }
        if !is_block {
            step.push(Piece::text("}"));
        }
        change.replace(self.file, at..at, step);
        let end = self.body.end_byte();
        let origin = Some((self.file, self.node.start_byte()));
        change.replace(
            self.file,
            end..end,
            vec![Piece::Text(format!("{tail} }}"), origin)],
        );
    }

    /// Closes what stands around the body.
    fn close(&self, change: &mut Change, tail: &str) {
        let end = self.body.end_byte();
        if self.body.kind() == "compound_statement" {
            change.insert(self.file, end, tail);
        } else {
            change.insert(self.file, self.body.start_byte(), "{ ");
            change.insert(self.file, end, format!(" }}{tail}"));
        }
    }

    /// Reads `for (int i = FROM; i < TO; ++i)` whose body changes neither.
    fn counting(&self, code: &Code) -> Option<Counting> {
        let unit = &code.units[self.file];
        let declaration = self.node.child_by_field_name("initializer")?;
        let kind = declaration.child_by_field_name("type")?;
        let init = declaration.child_by_field_name("declarator")?;
        if declaration.kind() != "declaration"
            || init.kind() != "init_declarator"
            || super::super::code::declarators(declaration).len() != 1
        {
            return None;
        }
        let name = unit.text(
            init.child_by_field_name("declarator")
                .filter(|it| it.kind() == "identifier")?,
        );
        let from = init
            .child_by_field_name("value")
            .filter(|it| it.kind() == "number_literal")?;
        let condition = self.node.child_by_field_name("condition")?;
        let left = condition.child_by_field_name("left")?;
        let right = condition.child_by_field_name("right")?;
        let operator = condition.child_by_field_name("operator")?.kind();
        let update = self.node.child_by_field_name("update")?;
        let is_step = update.kind() == "update_expression"
            && unit.text(update).contains("++")
            && words(unit.text(update)) == [name];
        let bound = unit.text(right);
        // The bound is asked for once now: it must be a number, or a name that nothing changes.
        let is_constant = right.kind() == "number_literal"
            || right.kind() == "identifier" && is_constant_name(code, unit, self.node, bound);
        let kind = unit.text(kind);
        let known = matches!(
            kind,
            "int" | "unsigned" | "unsigned int" | "size_t" | "std::size_t" | "long" | "std::uint32_t"
        );
        let plain = condition.kind() == "binary_expression"
            && unit.text(left) == name
            && matches!(operator, "<" | "!=")
            && is_step
            && is_constant
            && known;
        let changed = descendants(self.body).into_iter().any(|it| {
            let target = match it.kind() {
                "assignment_expression" => it.child_by_field_name("left"),
                "update_expression" => it.child_by_field_name("argument"),
                "pointer_expression" if unit.text(it).starts_with('&') => it.child_by_field_name("argument"),
                _ => None,
            };
            target.is_some_and(|it| unit.text(it) == name)
        });
        (plain && !changed && unit.text(from) == "0").then(|| Counting {
            kind: kind.to_owned(),
            name: name.to_owned(),
            from: format!("static_cast<{kind}>({})", unit.text(from)),
            to: format!("static_cast<{kind}>({bound})"),
        })
    }
}

/// Whether a name is declared constant, in the function or outside.
fn is_constant_name(code: &Code, unit: &Unit, at: Node<'_>, name: &str) -> bool {
    let local = super::super::scope::visible(unit, at);
    if let Some(it) = local.iter().find(|it| it.name == name) {
        return it.is_constant && it.reference.is_some();
    }
    code.units.iter().any(|unit| {
        descendants(unit.tree.root_node()).into_iter().any(|it| {
            matches!(it.kind(), "declaration" | "field_declaration")
                && (unit.text(it).contains("const"))
                && super::super::code::declarators(it)
                    .into_iter()
                    .filter_map(declared_name)
                    .any(|it| unit.text(it) == name)
        })
    })
}

/// Loops in functions, the last first, so that where two end at one place the inner one is closed first.
fn loops<'a>(code: &'a Code, kind: &str) -> Vec<(Function<'a>, Node<'a>)> {
    let mut found: Vec<(Function<'_>, Node<'_>)> = Vec::new();
    let functions = code.functions();
    for (number, unit) in code.units.iter().enumerate() {
        for node in descendants(unit.tree.root_node()) {
            if node.kind() != kind {
                continue;
            }
            let around = functions
                .iter()
                .filter(|it| it.unit == number && it.body.byte_range().contains(&node.start_byte()))
                .max_by_key(|it| it.body.start_byte());
            found.extend(around.map(|it| (*it, node)));
        }
    }
    found.reverse();
    found
}

/// Whether a statement of these kinds leaves the loop from inside its body.
fn leaves(code: &Code, function: Function<'_>, body: Node<'_>, kinds: &[&str]) -> bool {
    let unit = &code.units[function.unit];
    descendants(body).into_iter().any(|it| {
        let inner = |kinds: &[&str]| {
            ancestors(it)
                .take_while(|around| around.id() != body.id())
                .any(|around| kinds.contains(&around.kind()))
        };
        let in_loop = || {
            inner(&[
                "for_statement",
                "while_statement",
                "do_statement",
                "for_range_loop",
            ])
        };
        let in_lambda = || inner(&["lambda_expression"]);
        kinds.contains(&it.kind())
            && match it.kind() {
                "continue_statement" => !in_loop() && !in_lambda(),
                "break_statement" => !in_loop() && !in_lambda() && !inner(&["switch_statement"]),
                _ => !in_lambda(),
            }
    }) || unit.slice(body.byte_range()).contains("goto ")
}

fn sees_bindings(unit: &Unit, node: Node<'_>, function: Function<'_>) -> bool {
    let used = words(unit.text(node));
    descendants(function.body)
        .into_iter()
        .filter(|it| it.kind() == "structured_binding_declarator")
        .flat_map(children)
        .any(|it| used.contains(&unit.text(it)))
}

fn uses_returning_macro(code: &Code, unit: &Unit, body: Node<'_>) -> bool {
    let used = words(unit.text(body));
    let returning = super::wrap::returning_macros(code);
    used.iter().any(|it| returning.contains(it))
}

fn without_comments(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(|it| it.split("//").next().unwrap_or("").trim())
        .collect();
    lines.join(" ")
}

fn some(change: Change) -> Option<Change> {
    (!change.is_empty()).then_some(change)
}
