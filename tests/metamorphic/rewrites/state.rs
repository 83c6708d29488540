//! The handles, pointers and numbers of a function gathered in a structure, and the structure copied.

use tree_sitter::Node;

use super::super::change::Change;
use super::super::code::{
    Code, Function, Unit, ancestors, children, declarators, declared_name, descendants,
};
use super::super::dice::Dice;
use super::super::scope::base_type;
use super::wrap::{is_cuda, words};

/// `copy = state;`
pub fn by_assignment(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "", &|it| {
        format!("{0} copy_of_state; copy_of_state = state;", it.kind)
    })
}

/// `std::memcpy(&copy, &state, sizeof state);`
pub fn by_memcpy(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "#include <cstring>\n", &|it| {
        format!(
            "{0} copy_of_state; std::memcpy(&copy_of_state, &state, sizeof(state));",
            it.kind
        )
    })
}

/// Through a function that returns it.
pub fn by_return(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "", &|it| {
        format!("{0} copy_of_state = pass_on(state);", it.kind)
    })
}

/// `std::move`.
pub fn by_move(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "#include <utility>\n", &|it| {
        format!("{0} copy_of_state = std::move(state);", it.kind)
    })
}

/// Through `std::optional`.
pub fn by_optional(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "#include <optional>\n", &|it| {
        format!(
            "std::optional<{0}> held_state(state); {0} copy_of_state = *held_state;",
            it.kind
        )
    })
}

/// Through `std::tuple`.
pub fn by_tuple(code: &Code, dice: &mut Dice) -> Option<Change> {
    copied(code, dice, "#include <tuple>\n", &|it| {
        let members: Vec<String> = it.names.iter().map(|it| format!("state.{it}")).collect();
        let parts: Vec<String> = (0..it.names.len())
            .map(|index| format!("std::get<{index}>(packed_state)"))
            .collect();
        format!(
            "auto packed_state = std::make_tuple({}); {} copy_of_state{{{}}};",
            members.join(", "),
            it.kind,
            parts.join(", ")
        )
    })
}

/// The structure a variant makes.
struct State<'a> {
    /// Its type.
    kind: String,
    /// The variables it holds.
    names: Vec<&'a str>,
}

/// A variable, and the member that stands for it.
struct Held<'a> {
    name: &'a str,
    member: String,
    /// Uses behind the copy.
    uses: Vec<Node<'a>>,
}

/// Behind some statement of a function the variables so far are copied into a structure, that one is copied, and what follows uses
/// the copy.
fn copied(
    code: &Code,
    dice: &mut Dice,
    include: &str,
    copy: &dyn Fn(&State<'_>) -> String,
) -> Option<Change> {
    let functions = code.functions();
    let mut places: Vec<(&Function<'_>, usize, Vec<Held<'_>>)> = Vec::new();
    for function in functions
        .iter()
        .filter(|it| it.is_host && it.is_at_top() && !it.is_template())
    {
        let unit = &code.units[function.unit];
        let text = unit.text(function.body);
        if text.contains("\n#") || text.contains("goto ") || function.body.has_error() {
            continue;
        }
        let statements = children(function.body);
        for (index, statement) in statements.iter().enumerate() {
            let held = held(code, unit, function, &statements[..=index], statement.end_byte());
            if !held.is_empty() && statement.kind() != "comment" {
                places.push((function, statement.end_byte(), held));
            }
        }
    }
    // Mostly where much is held: a copy of one handle says less.
    places.sort_by_key(|it| std::cmp::Reverse(it.2.len()));
    places.truncate(places.len().div_ceil(2));
    let (function, at, held) = dice.pick(&places)?;
    let state = State {
        kind: "GatheredState".to_owned(),
        names: held.iter().map(|it| it.name).collect(),
    };
    let unit = &code.units[function.unit];
    let mut change = Change::default();
    let members: String = held.iter().map(|it| format!("  {};\n", it.member)).collect();
    let names = state.names.join(", ");
    change.insert(function.unit, unit.after_includes().unwrap_or(0), include);
    change.insert(
        function.unit,
        unit.start_with_qualifiers(function.outer),
        format!(
            "struct GatheredState {{\n{members}}};\nstatic inline GatheredState pass_on(GatheredState state) {{ return state; }}\n\n"
        ),
    );
    let text = format!("\n  GatheredState state{{{names}}};\n  {}", copy(&state));
    change.insert(function.unit, *at, text);
    for it in held.iter().flat_map(|it| &it.uses) {
        change.rename(
            function.unit,
            it.byte_range(),
            format!("copy_of_state.{}", unit.text(*it)),
        );
    }
    Some(change)
}

/// Variables that may be held in a structure from an offset on.
fn held<'a>(
    code: &Code,
    unit: &'a Unit,
    function: &Function<'a>,
    before: &[Node<'a>],
    at: usize,
) -> Vec<Held<'a>> {
    let mut found = Vec::new();
    for declaration in before.iter().filter(|it| it.kind() == "declaration") {
        let Some(base) = base_type(unit, *declaration) else {
            continue;
        };
        let head = unit.text(*declaration);
        if words(head).iter().any(|it| {
            matches!(
                *it,
                "static" | "constexpr" | "volatile" | "extern" | "thread_local"
            )
        }) && !head.contains('*')
        {
            continue;
        }
        for declarator in declarators(*declaration) {
            let has_value = declarator.kind() == "init_declarator";
            let inner = if has_value {
                declarator.child_by_field_name("declarator")
            } else {
                Some(declarator)
            };
            let Some((inner, name)) = inner.and_then(|it| Some((it, declared_name(it)?))) else {
                continue;
            };
            let text = unit.text(name);
            let is_pointer = inner.kind() == "pointer_declarator"
                && !unit.text(inner).contains("const")
                && !unit.text(inner).contains('[');
            let is_value = inner.kind() == "identifier" && is_copied_type(&base);
            let is_static =
                words(unit.slice(declaration.start_byte()..declarator.start_byte())).contains(&"static");
            if !(is_pointer || is_value)
                || is_static
                || is_in_macro(code, text)
                || !is_global_type(unit, function, &base)
            {
                continue;
            }
            let member = format!("{base} {}", unit.text(inner));
            if let Some(uses) = uses(unit, function, name, has_value, is_pointer, at) {
                found.push(Held {
                    name: text,
                    member,
                    uses,
                });
            }
        }
    }
    found
}

/// Uses of a variable behind an offset; `None` where a copy of it would not do the same.
fn uses<'a>(
    unit: &'a Unit,
    function: &Function<'a>,
    name: Node<'a>,
    has_value: bool,
    is_pointer: bool,
    at: usize,
) -> Option<Vec<Node<'a>>> {
    let text = unit.text(name);
    let mut later = Vec::new();
    let mut is_set = has_value;
    let mut is_shared = false;
    let mut is_changed_later = false;
    for it in descendants(function.node) {
        if it.id() == name.id()
            || !matches!(it.kind(), "identifier" | "shorthand_field_identifier")
            || unit.text(it) != text
        {
            continue;
        }
        let parent = it.parent()?;
        if parent.kind().contains("declarator")
            && parent
                .child_by_field_name("value")
                .is_none_or(|value| value.id() != it.id())
            && parent.kind() != "array_declarator"
            || parent.kind().ends_with("parameter_declaration")
            || parent.kind() == "lambda_capture_specifier"
            || parent.kind() == "lambda_capture_initializer"
            || ancestors(it).any(|it| it.kind() == "lambda_capture_specifier")
        {
            return None;
        }
        let access = access(unit, it);
        if it.start_byte() < at {
            is_set = true;
            let by_reference = ancestors(it)
                .take_while(|around| around.id() != function.body.id())
                .any(|around| {
                    around.kind() == "lambda_expression"
                        && !around
                            .child_by_field_name("captures")
                            .is_some_and(|it| unit.text(it).starts_with("[="))
                });
            match access {
                Access::Shared if !is_pointer => return None,
                Access::Shared => is_shared = true,
                _ => is_shared |= by_reference,
            }
        } else {
            is_changed_later |= matches!(access, Access::Made | Access::Set | Access::Shared);
            later.push(it);
        }
    }
    let same = is_set && !(is_shared && is_changed_later);
    (same && !later.is_empty()).then_some(later)
}

/// What a use does to a variable.
enum Access {
    Read,
    Set,
    /// Its address goes to a call that makes what it stands for.
    Made,
    /// Its address goes elsewhere, or a reference is made.
    Shared,
}

fn access(unit: &Unit, name: Node<'_>) -> Access {
    let mut node = name;
    let mut is_address = false;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "pointer_expression" if unit.text(parent).starts_with('&') => is_address = true,
            "cast_expression" | "parenthesized_expression" if is_address => {}
            "call_expression"
                if is_address
                    && parent
                        .child_by_field_name("function")
                        .is_some_and(|it| unit.text(it).contains("_cast")) => {}
            "argument_list" if is_address => {
                let call = parent
                    .parent()
                    .and_then(|it| it.child_by_field_name("function"))
                    .map_or("", |it| unit.text(it));
                if call.contains("_cast") {
                    node = parent;
                    continue;
                }
                let makes = is_cuda(call)
                    && [
                        "Create",
                        "Alloc",
                        "Instantiate",
                        "EndCapture",
                        "GetDevicePointer",
                        "Get",
                    ]
                    .iter()
                    .any(|it| call.contains(it));
                return if makes { Access::Made } else { Access::Shared };
            }
            "assignment_expression"
                if parent
                    .child_by_field_name("left")
                    .is_some_and(|it| it.id() == node.id()) =>
            {
                return Access::Set;
            }
            "update_expression" => return Access::Set,
            "init_declarator" => {
                let shares = parent
                    .child_by_field_name("declarator")
                    .is_some_and(|it| it.kind() == "reference_declarator");
                return if shares || is_address {
                    Access::Shared
                } else {
                    Access::Read
                };
            }
            _ => return if is_address { Access::Shared } else { Access::Read },
        }
        node = parent;
    }
    Access::Read
}

/// Types that a copy of which is as good: handles and numbers.
fn is_copied_type(base: &str) -> bool {
    base.starts_with("cuda") && base.ends_with("_t") && base != "cudaError_t"
        || matches!(
            base,
            "CUstream"
                | "CUevent"
                | "CUdeviceptr"
                | "CUmodule"
                | "CUfunction"
                | "CUgraph"
                | "CUgraphExec"
                | "int"
                | "size_t"
                | "std::size_t"
                | "unsigned"
        )
}

fn is_global_type(unit: &Unit, function: &Function<'_>, base: &str) -> bool {
    let used = words(base);
    !descendants(function.body).into_iter().any(|it| {
        it.kind() == "type_identifier"
            && used.contains(&unit.text(it))
            && it.parent().is_some_and(|it| {
                it.kind().ends_with("_specifier")
                    || it.kind() == "alias_declaration"
                    || it.kind() == "type_definition"
            })
    })
}

fn is_in_macro(code: &Code, name: &str) -> bool {
    code.units.iter().any(|unit| {
        unit.prepared
            .macros
            .iter()
            .any(|it| words(unit.slice(it.body.start as usize..it.body.end as usize)).contains(&name))
    })
}
