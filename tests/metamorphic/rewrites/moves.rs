//! Functions moved to headers and to other files, and programs split into two translation units.

use tree_sitter::Node;

use super::super::change::{Change, Piece};
use super::super::code::{Code, Function, Unit, children, declared_name, descendants};
use super::super::dice::Dice;
use super::super::scope::parameter_list;
use super::wrap::words;

/// Functions at the top of a file, each in a header of its own that is included where the function was.
pub fn to_header(code: &Code, dice: &mut Dice) -> Option<Change> {
    let functions = code.functions();
    let mut movable: Vec<&Function<'_>> = functions
        .iter()
        .filter(|it| it.is_at_top() && it.name != "main" && !has_directives(&code.units[it.unit], it.outer))
        .filter(|it| is_own_line(&code.units[it.unit], it.outer))
        .collect();
    if !movable.is_empty() && dice.below(3) == 0 {
        let index = dice.below(movable.len());
        movable = vec![movable[index]];
    }
    let mut change = Change::default();
    for (number, it) in movable.iter().enumerate() {
        let unit = &code.units[it.unit];
        let range = unit.start_with_qualifiers(it.outer)..it.outer.end_byte();
        let name = format!("moved_{number}.cuh");
        change.rename(it.unit, range.clone(), format!("#include \"{name}\"\n"));
        change.add(
            name,
            vec![
                Piece::text("#pragma once\n\n"),
                Piece::Kept(it.unit, range),
                Piece::text("\n"),
            ],
        );
    }
    (!change.is_empty()).then_some(change)
}

/// One host function in a file of its own; what both files need is in a header.
pub fn to_file(code: &Code, dice: &mut Dice) -> Option<Change> {
    let layout = Layout::read(code)?;
    let unit = &code.units[layout.unit];
    let names: Vec<&str> = layout
        .items
        .iter()
        .filter(|it| it.kind == Kind::HostFunction && it.name != "main")
        .map(|it| it.name)
        .collect();
    let name = *dice.pick(&names)?;
    layout.split(
        unit,
        &|it| it.kind == Kind::HostFunction && it.name == name,
        "moved.cu",
    )
}

/// All device code in a file of its own, or all host functions but `main`; declarations and what both need are in a header.
pub fn split_units(code: &Code, dice: &mut Dice) -> Option<Change> {
    let layout = Layout::read(code)?;
    let unit = &code.units[layout.unit];
    let kernels = || {
        layout.split(
            unit,
            &|it| matches!(it.kind, Kind::Kernel | Kind::Device),
            "kernels.cu",
        )
    };
    let functions = || {
        layout.split(
            unit,
            &|it| it.kind == Kind::HostFunction && it.name != "main",
            "functions.cu",
        )
    };
    if dice.flip() {
        kernels().or_else(functions)
    } else {
        functions().or_else(kernels)
    }
}

/// What stands at the top of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Types, templates, constants, aliases: in the header.
    Shared,
    Kernel,
    /// Device functions and variables.
    Device,
    HostFunction,
    /// A variable of the host.
    Variable,
}

struct Item<'a> {
    kind: Kind,
    name: &'a str,
    node: Node<'a>,
    start: usize,
}

/// The one file of a program that has `main`, item by item.
struct Layout<'a> {
    unit: usize,
    items: Vec<Item<'a>>,
}

impl<'a> Layout<'a> {
    /// `None` where splitting may change what the program is: several sources, namespaces with functions, conditionals, symbols of
    /// the device that the host names.
    fn read(code: &'a Code) -> Option<Self> {
        let sources: Vec<usize> = (0..code.units.len())
            .filter(|it| code.units[*it].path.ends_with(".cu") || code.units[*it].path.ends_with(".cpp"))
            .collect();
        let [number] = sources.as_slice() else { return None };
        let unit = &code.units[*number];
        let root = unit.tree.root_node();
        let text = unit.slice(0..unit.bytes.len());
        if root.has_error()
            || text.contains("\n#if")
            || text.contains("\n#else")
            || text.contains("\n#undef")
            || text.is_empty()
        {
            return None;
        }
        let mut items = Vec::new();
        for node in children(root) {
            if node.kind() == "comment" || node.kind().starts_with("preproc") || node.kind() == ";" {
                continue;
            }
            let start = unit.start_with_qualifiers(node);
            let (kind, name) = classify(unit, node, start)?;
            items.push(Item {
                kind,
                name,
                node,
                start,
            });
        }
        let layout = Layout { unit: *number, items };
        layout.items.iter().any(|it| it.name == "main").then_some(layout)
    }

    /// Writes header, second file and what is left; `None` where what moves cannot be declared apart.
    fn split(&self, unit: &Unit, moves: &dyn Fn(&Item<'_>) -> bool, file: &str) -> Option<Change> {
        let moved: Vec<&Item<'_>> = self.items.iter().filter(|it| moves(it)).collect();
        let has_device_code = |it: &&Item<'_>| matches!(it.kind, Kind::Kernel | Kind::Device);
        if moved.is_empty() {
            return None;
        }
        // Device code stays in one unit, as it was: what is loaded with what does not change.
        let device: Vec<&Item<'_>> = self.items.iter().filter(has_device_code).collect();
        let host_text: String = self
            .items
            .iter()
            .filter(|it| !has_device_code(it))
            .map(|it| unit.slice(it.start..it.node.end_byte()))
            .collect();
        let host_words = words(&host_text);
        let is_template_kernel = self.items.iter().any(|it| {
            it.kind == Kind::Shared
                && unit
                    .qualifiers_in(&(it.start..it.node.end_byte()))
                    .next()
                    .is_some()
        });
        let symbol_is_named = device
            .iter()
            .any(|it| it.kind == Kind::Device && host_words.contains(&it.name));
        if is_template_kernel || symbol_is_named {
            return None;
        }
        let mut header = vec![Piece::text("#pragma once\n\n")];
        let mut second = vec![Piece::text("#include \"shared.cuh\"\n\n")];
        let mut first = vec![Piece::text("#include \"shared.cuh\"\n\n")];
        let mut at = 0;
        for it in &self.items {
            header.push(Piece::Kept(self.unit, at..it.start));
            at = it.node.end_byte();
            match it.kind {
                Kind::Shared => header.push(Piece::Kept(self.unit, it.start..at)),
                Kind::Kernel | Kind::HostFunction if it.name != "main" => {
                    let parts = parts(unit, self.unit, it)?;
                    header.push(parts.declaration);
                    let to = if moves(it) { &mut second } else { &mut first };
                    to.extend(parts.definition);
                }
                Kind::Variable => {
                    let (declaration, definition) = variable(unit, self.unit, it)?;
                    header.push(declaration);
                    first.push(definition);
                }
                _ => {
                    let to = if moves(it) { &mut second } else { &mut first };
                    to.push(Piece::Kept(self.unit, it.start..at));
                    to.push(Piece::text("\n\n"));
                }
            }
        }
        header.push(Piece::Kept(self.unit, at..unit.bytes.len()));
        let mut change = Change::default();
        change.replace(self.unit, 0..unit.bytes.len(), first);
        change.add("shared.cuh", header);
        change.add(file, second);
        Some(change)
    }
}

fn classify<'a>(unit: &'a Unit, node: Node<'a>, start: usize) -> Option<(Kind, &'a str)> {
    use cudalint::syntax::Qualifier::{Constant, Device, Global, Managed, Shared};
    let text = unit.slice(start..node.end_byte());
    match node.kind() {
        "function_definition" => {
            let declarator = node.child_by_field_name("declarator")?;
            let body = node.child_by_field_name("body")?;
            let name = unit.text(declared_name(declarator)?);
            let qualifiers: Vec<_> = unit.qualifiers_in(&(start..body.start_byte())).collect();
            let head = unit.slice(start..body.start_byte());
            let method = descendants(declarator).iter().any(|it| {
                it.kind() == "qualified_identifier"
                    && it.start_byte() <= declarator.end_byte()
                    && unit.text(*it).contains(name)
            });
            if qualifiers.contains(&Global) {
                Some((Kind::Kernel, name))
            } else if qualifiers.contains(&Device) {
                // One that is for the host too stays where all see it.
                let kind = if words(head).contains(&"__host__") {
                    return None;
                } else {
                    Kind::Device
                };
                Some((kind, name))
            } else if method {
                None
            } else if words(head)
                .iter()
                .any(|it| matches!(*it, "constexpr" | "inline" | "auto" | "template"))
            {
                Some((Kind::Shared, name))
            } else {
                Some((Kind::HostFunction, name))
            }
        }
        "declaration" => {
            let declarator = node.child_by_field_name("declarator")?;
            let name = unit.text(declared_name(declarator)?);
            let is_device = unit
                .qualifiers_in(&(start..node.end_byte()))
                .any(|it| matches!(it, Device | Constant | Managed | Shared));
            let is_function = descendants(declarator)
                .iter()
                .any(|it| it.kind() == "function_declarator");
            let head = unit.slice(start..declarator.start_byte());
            if is_device {
                Some((Kind::Device, name))
            } else if is_function
                || words(head)
                    .iter()
                    .any(|it| matches!(*it, "constexpr" | "const" | "extern"))
            {
                // A constant has internal linkage: each unit may have its own, if it is a number.
                let plain = !text.contains("std::") || text.contains("constexpr");
                (plain && !words(head).contains(&"static") || text.contains("constexpr") || is_function)
                    .then_some((Kind::Shared, name))
            } else {
                Some((Kind::Variable, name))
            }
        }
        "struct_specifier"
        | "class_specifier"
        | "enum_specifier"
        | "union_specifier"
        | "alias_declaration"
        | "using_declaration"
        | "namespace_alias_definition"
        | "type_definition"
        | "static_assert_declaration"
        | "template_declaration" => {
            // What has static members or thread-locals would be there twice.
            let inert = !text.contains("static ")
                || text.contains("static constexpr")
                || node.kind() == "template_declaration";
            inert.then_some((Kind::Shared, ""))
        }
        _ => None,
    }
}

struct Parts {
    declaration: Piece,
    definition: Vec<Piece>,
}

/// A function's declaration, with default arguments, and its definition, without.
fn parts(unit: &Unit, file: usize, it: &Item<'_>) -> Option<Parts> {
    let body = it.node.child_by_field_name("body")?;
    let head = unit.slice(it.start..body.start_byte());
    let is_static = words(head).first() == Some(&"static") || words(head).get(1) == Some(&"static");
    let head = if is_static {
        head.replacen("static ", "", 1)
    } else {
        head.to_owned()
    };
    let declaration = Piece::Text(format!("{};\n", head.trim_end()), Some((file, it.start)));
    let mut definition = Vec::new();
    let mut at = it.start;
    if is_static {
        let word = at + unit.slice(at..body.start_byte()).find("static")?;
        definition.push(Piece::Kept(file, at..word));
        at = word + "static".len();
    }
    for parameter in children(parameter_list(it.node)?) {
        if let Some(value) = parameter.child_by_field_name("default_value") {
            let end = parameter.child_by_field_name("declarator")?.end_byte();
            definition.push(Piece::Kept(file, at..end));
            at = value.end_byte();
        }
    }
    definition.push(Piece::Kept(file, at..it.node.end_byte()));
    definition.push(Piece::text("\n\n"));
    Some(Parts {
        declaration,
        definition,
    })
}

/// A variable's `extern` declaration, and its definition.
fn variable(unit: &Unit, file: usize, it: &Item<'_>) -> Option<(Piece, Piece)> {
    let text = unit.slice(it.start..it.node.end_byte());
    let without = text.strip_prefix("static ").unwrap_or(text);
    let declarator = it.node.child_by_field_name("declarator")?;
    let names = super::super::code::declarators(it.node);
    let [one] = names.as_slice() else { return None };
    let inner = if one.kind() == "init_declarator" {
        one.child_by_field_name("declarator")?
    } else {
        *one
    };
    let unsized_array = unit.text(inner).contains("[]");
    let start = it.start + text.len() - without.len();
    let head = unit.slice(start..inner.end_byte());
    let deduced = words(head).contains(&"auto")
        || descendants(it.node)
            .iter()
            .any(|it| it.kind() == "lambda_expression");
    let local_type = descendants(it.node)
        .iter()
        .any(|it| it.kind() == "field_declaration_list" && it.end_byte() < declarator.start_byte());
    if unsized_array || deduced || local_type || text.contains("thread_local") {
        return None;
    }
    Some((
        Piece::Text(format!("extern {head};"), Some((file, it.start))),
        Piece::Text(format!("{without}\n\n"), Some((file, it.start))),
    ))
}

fn has_directives(unit: &Unit, node: Node<'_>) -> bool {
    let text = unit.text(node);
    text.contains("\n#")
        || text.contains("__LINE__")
        || text.contains("__FILE__")
        || unit.bytes.contains(&b'\r')
}

/// Whether a directive can stand where a function stands.
fn is_own_line(unit: &Unit, node: Node<'_>) -> bool {
    let start = unit.start_with_qualifiers(node);
    unit.slice(unit.line_start(start)..start).trim().is_empty() && !unit.slice(0..start).ends_with("\\\n")
}
