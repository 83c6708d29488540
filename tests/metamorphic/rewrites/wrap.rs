//! Calls wrapped: in functions, a macro, a lambda, a template, a callable and a class.

use tree_sitter::Node;

use super::super::change::{Change, Piece};
use super::super::code::{Code, Function, Unit, ancestors, descendants, is_inside};
use super::super::dice::Dice;
use super::super::scope::{Variable, visible};

/// A statement that calls CUDA, launches or calls a function of the program.
struct Site<'a> {
    function: Function<'a>,
    statement: Node<'a>,
    /// Variables of the function that it uses.
    free: Vec<Variable>,
}

/// The statement in a function of its own.
pub fn in_one_function(code: &Code, dice: &mut Dice) -> Option<Change> {
    in_functions(code, dice, 1)
}

/// The statement behind twelve functions that call each other.
pub fn in_twelve_functions(code: &Code, dice: &mut Dice) -> Option<Change> {
    in_functions(code, dice, 12)
}

/// The statement in a function template, every argument of a deduced type.
pub fn in_template(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    for (number, site) in chosen(code, dice, may_have_template).iter().enumerate() {
        let deduced: Vec<Variable> = site.free.iter().map(untyped).collect();
        let name = format!("instantiated_{number}");
        helper(code, &mut change, site, &name, &deduced, &body_of(site));
        call(&mut change, site, &name, &site.free);
    }
    some(change)
}

fn in_functions(code: &Code, dice: &mut Dice, depth: usize) -> Option<Change> {
    let mut change = Change::default();
    for (number, site) in chosen(code, dice, may_have_helper).iter().enumerate() {
        let name = |level: usize| format!("step_{number}_{level}");
        let arguments = names(&site.free);
        // Innermost first: each is declared before it is called.
        helper(code, &mut change, site, &name(depth), &site.free, &body_of(site));
        for level in (1..depth).rev() {
            let inner = format!("{}({arguments});", name(level + 1));
            let pieces = [Piece::Text(inner, Some(origin(site)))];
            helper(code, &mut change, site, &name(level), &site.free, &pieces);
        }
        call(&mut change, site, &name(1), &site.free);
    }
    some(change)
}

/// The statement as the argument of a macro, or as its body.
pub fn in_macro(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let as_body = dice.flip();
    for (number, site) in chosen(code, dice, |_, _| true).iter().enumerate() {
        let unit = &code.units[site.function.unit];
        let text = one_line(unit, site.statement);
        if text.contains('#') {
            continue;
        }
        let name = format!("PERFORM_{number}");
        let at = unit.line_start(unit.start_with_qualifiers(outermost(site.function.outer)));
        let file = site.function.unit;
        if as_body {
            let pieces = vec![
                Piece::text(format!("#define {name}() do {{ ")),
                Piece::Text(text, Some(origin(site))),
                Piece::text(" } while (0)\n"),
            ];
            change.replace(file, at..at, pieces);
            change.rename(file, site.statement.byte_range(), format!("{name}();"));
        } else {
            change.insert(
                file,
                at,
                format!("#define {name}(...) do {{ __VA_ARGS__; }} while (0)\n"),
            );
            let range = site.statement.byte_range();
            change.insert_for(file, range.start, format!("{name}("), range.start);
            change.insert_for(file, range.end - 1, ")", range.start);
        }
    }
    some(change)
}

/// The statement in a lambda that is called at once, named or not.
pub fn in_lambda(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let named = dice.flip();
    for (number, site) in chosen(code, dice, |_, site| captures(site)).iter().enumerate() {
        let (file, range) = (site.function.unit, site.statement.byte_range());
        if named {
            let (before, after) = (
                format!("{{ auto action_{number} = [&] {{ "),
                format!(" }}; action_{number}(); }}"),
            );
            change.insert_for(file, range.start, before, range.start);
            change.insert_for(file, range.end, after, range.start);
        } else {
            change.insert_for(file, range.start, "[&] { ", range.start);
            change.insert_for(file, range.end, " }();", range.start);
        }
    }
    some(change)
}

/// The statement as a lambda that a template calls.
pub fn in_callable(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let mut done = Vec::new();
    for site in chosen(code, dice, |_, site| {
        captures(site) && is_free(site.function) && !is_c(site.function)
    }) {
        let (file, range) = (site.function.unit, site.statement.byte_range());
        let unit = &code.units[file];
        let at = unit.start_with_qualifiers(site.function.outer);
        let name = format!("perform_{file}_{at}");
        if !done.contains(&(file, at)) {
            done.push((file, at));
            let text =
                format!("template <class Action> static void {name}(Action &&action) {{ action(); }}\n");
            change.insert(file, at, text);
        }
        change.insert_for(file, range.start, format!("{name}([&] {{ "), range.start);
        change.insert_for(file, range.end, " });", range.start);
    }
    some(change)
}

/// The statement in a method of a class of its own, which holds references to what it uses.
pub fn in_class(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    for (number, site) in chosen(code, dice, |_, site| {
        is_free(site.function) && !is_c(site.function)
    })
    .iter()
    .enumerate()
    {
        let (file, name) = (site.function.unit, format!("Action_{number}"));
        let at = code.units[file].start_with_qualifiers(site.function.outer);
        let fields: Option<Vec<&str>> = site.free.iter().map(|it| it.reference.as_deref()).collect();
        if let Some(fields) = fields {
            let fields: String = fields.iter().map(|it| format!("  {it};\n")).collect();
            let mut pieces = vec![Piece::text(format!(
                "struct {name} {{\n{fields}  void perform() {{\n    "
            ))];
            pieces.extend(body_of(site));
            pieces.push(Piece::text("\n  }\n};\n"));
            change.replace(file, at..at, pieces);
            let text = format!("{name}{{{}}}.perform();", names(&site.free));
            change.rename(file, site.statement.byte_range(), text);
        } else {
            let deduced: Vec<Variable> = site.free.iter().map(untyped).collect();
            let (template, parameters) = signature(&deduced);
            let mut pieces = vec![Piece::text(format!(
                "struct {name} {{\n  {template}void perform({parameters}) {{\n    "
            ))];
            pieces.extend(body_of(site));
            pieces.push(Piece::text("\n  }\n};\n"));
            change.replace(file, at..at, pieces);
            let text = format!("{name}().perform({});", names(&site.free));
            change.rename(file, site.statement.byte_range(), text);
        }
    }
    some(change)
}

/// The sites a variant takes: all that do not hold another one, or one of them.
fn chosen<'a>(code: &'a Code, dice: &mut Dice, accepts: fn(&Code, &Site<'_>) -> bool) -> Vec<Site<'a>> {
    let mut all = sites(code);
    all.retain(|it| accepts(code, it));
    let ranges: Vec<_> = all
        .iter()
        .map(|it| (it.function.unit, it.statement.byte_range()))
        .collect();
    all.retain(|it| {
        let own = it.statement.byte_range();
        !ranges
            .iter()
            .any(|(file, range)| *file == it.function.unit && *range != own && is_inside(range, &own))
    });
    if !all.is_empty() && dice.below(3) == 0 {
        let index = dice.below(all.len());
        return vec![all.swap_remove(index)];
    }
    all
}

fn sites(code: &Code) -> Vec<Site<'_>> {
    let functions = code.functions();
    let known = code.function_names();
    let returning = returning_macros(code);
    let mut found = Vec::new();
    for function in functions.iter().filter(|it| it.is_host) {
        let unit = &code.units[function.unit];
        let inner = functions.iter().filter(|it| {
            it.unit == function.unit && is_inside(&it.node.byte_range(), &function.body.byte_range())
        });
        let inner: Vec<_> = inner.map(|it| it.node.byte_range()).collect();
        for statement in descendants(function.body) {
            let range = statement.byte_range();
            let is_call = statement.kind() == "expression_statement"
                && statement
                    .named_child(0)
                    .is_some_and(|it| it.kind() == "call_expression")
                && !statement.has_error()
                && unit.bytes[range.end - 1] == b';'
                && !inner.iter().any(|it| is_inside(&range, it));
            if !is_call {
                continue;
            }
            let words = words(unit.text(statement));
            let calls = unit.launches_in(&range)
                || words
                    .iter()
                    .any(|it| is_cuda(it) || known.contains(it) || it.contains("CHECK"));
            let stays = !words
                .iter()
                .any(|it| returning.contains(it) || *it == function.name)
                && !names_constant(unit, statement)
                && !in_conditional(unit, &range);
            if calls && stays {
                let free = free(unit, statement, function.body);
                found.push(Site {
                    function: *function,
                    statement,
                    free,
                });
            }
        }
    }
    found
}

/// Variables of the function that a statement uses.
fn free(unit: &Unit, statement: Node<'_>, body: Node<'_>) -> Vec<Variable> {
    let used: Vec<&str> = descendants(statement)
        .into_iter()
        .filter(|it| it.kind() == "identifier")
        .map(|it| unit.text(it))
        .collect();
    let local: Vec<&str> = descendants(body)
        .into_iter()
        .filter(|it| it.kind() == "type_identifier" && it.parent().is_some_and(declares_type))
        .map(|it| unit.text(it))
        .collect();
    let mut found = visible(unit, statement);
    found.retain(|it| used.contains(&it.name.as_str()));
    for it in &mut found {
        let is_local = |text: &String| words(text).iter().any(|word| local.contains(word));
        if it.reference.as_ref().is_some_and(is_local) {
            it.reference = None;
        }
    }
    found
}

fn declares_type(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "struct_specifier"
            | "class_specifier"
            | "enum_specifier"
            | "union_specifier"
            | "alias_declaration"
            | "type_definition"
    )
}

/// Whether a statement needs the value of a variable while it is compiled: as a template argument.
fn names_constant(unit: &Unit, statement: Node<'_>) -> bool {
    descendants(statement)
        .into_iter()
        .filter(|it| it.kind() == "template_argument_list")
        .flat_map(descendants)
        .any(|it| it.kind() == "identifier" && unit.text(it).starts_with(|it: char| it.is_ascii_lowercase()))
        || unit.text(statement).contains("decltype")
}

fn in_conditional(unit: &Unit, range: &std::ops::Range<usize>) -> bool {
    unit.slice(range.clone()).contains("\n#")
}

/// Macros that leave the function they stand in, and those of the program that a lambda or function changes.
pub fn returning_macros(code: &Code) -> Vec<&str> {
    let mut found = Vec::new();
    for unit in &code.units {
        for it in &unit.prepared.macros {
            let body = unit.slice(it.body.start as usize..it.body.end as usize);
            let leaves = words(body).iter().any(|word| {
                matches!(
                    *word,
                    "return" | "goto" | "break" | "continue" | "__func__" | "auto"
                )
            });
            if leaves {
                found.push(it.name.as_str());
            }
        }
    }
    found
}

fn captures(site: &Site<'_>) -> bool {
    !site.free.iter().any(|it| it.is_binding)
}

fn may_have_template(code: &Code, site: &Site<'_>) -> bool {
    may_have_helper(code, site) && !in_function(site.function) && !is_c(site.function)
}

/// Whether a function beside this one sees all that the statement uses.
fn may_have_helper(code: &Code, site: &Site<'_>) -> bool {
    let function = site.function;
    let all_typed = site.free.iter().all(|it| it.reference.is_some());
    if !all_typed && (in_function(function) || is_c(function)) {
        return false;
    }
    let Some(class) = function.class else {
        return is_free(function);
    };
    // A lambda reaches the methods of the class where it holds the object.
    let unit = &code.units[function.unit];
    let lambdas = ancestors(site.statement).take_while(|it| it.id() != function.node.id());
    let holds = lambdas.filter(|it| it.kind() == "lambda_expression").all(|it| {
        it.child_by_field_name("captures").is_some_and(|it| {
            let text = unit.text(it);
            text.contains("this") || text.contains("[&]") || text.contains("[=]")
        })
    });
    holds && class.kind().ends_with("_specifier") && !function.is_template() && !function.node.has_error()
}

/// A function that is no method and no template.
fn is_free(function: Function<'_>) -> bool {
    let qualified = descendants(function.node)
        .into_iter()
        .take_while(|it| it.start_byte() < function.body.start_byte())
        .any(|it| {
            it.kind() == "qualified_identifier"
                && it.parent().is_some_and(|it| it.kind() == "function_declarator")
        });
    function.class.is_none()
        && !function.is_template()
        && !qualified
        && !in_function(function)
        && !in_class_at_all(function)
}

fn in_class_at_all(function: Function<'_>) -> bool {
    ancestors(function.outer).any(|it| it.kind() == "field_declaration_list")
}

fn in_function(function: Function<'_>) -> bool {
    ancestors(function.outer).any(|it| it.kind() == "function_definition")
}

fn is_c(function: Function<'_>) -> bool {
    ancestors(function.node).any(|it| it.kind() == "linkage_specification")
}

fn outermost(node: Node<'_>) -> Node<'_> {
    ancestors(node)
        .take_while(|it| it.kind() != "translation_unit")
        .last()
        .unwrap_or(node)
}

/// Inserts a function in front of the site's own.
fn helper(code: &Code, change: &mut Change, site: &Site<'_>, name: &str, free: &[Variable], body: &[Piece]) {
    let function = site.function;
    let unit = &code.units[function.unit];
    let at = unit.start_with_qualifiers(function.outer);
    let (template, parameters) = signature(free);
    let head = unit.slice(function.node.start_byte()..function.body.start_byte());
    let is_static = function.class.is_none() || words(head).contains(&"static");
    let is_const = function.class.is_some()
        && head
            .rsplit(')')
            .next()
            .is_some_and(|it| words(it).contains(&"const"));
    let mut pieces = vec![Piece::text(format!(
        "{template}{}void {name}({parameters}){} {{ ",
        if is_static { "static " } else { "" },
        if is_const { " const" } else { "" },
    ))];
    pieces.extend_from_slice(body);
    pieces.push(Piece::text(" }\n"));
    change.replace(function.unit, at..at, pieces);
}

/// Template head and parameters of a function that takes variables by reference.
fn signature(free: &[Variable]) -> (String, String) {
    let mut types = Vec::new();
    let mut parameters = Vec::new();
    for (index, it) in free.iter().enumerate() {
        if let Some(reference) = &it.reference {
            parameters.push(reference.clone());
        } else {
            types.push(format!("class T{index}"));
            parameters.push(format!("T{index} &&{}", it.name));
        }
    }
    let template = if types.is_empty() {
        String::new()
    } else {
        format!("template <{}> ", types.join(", "))
    };
    (template, parameters.join(", "))
}

fn untyped(variable: &Variable) -> Variable {
    Variable {
        reference: None,
        ..variable.clone()
    }
}

fn call(change: &mut Change, site: &Site<'_>, name: &str, free: &[Variable]) {
    let text = format!("{name}({});", names(free));
    change.rename(site.function.unit, site.statement.byte_range(), text);
}

fn body_of(site: &Site<'_>) -> [Piece; 1] {
    [Piece::Kept(site.function.unit, site.statement.byte_range())]
}

fn origin(site: &Site<'_>) -> (usize, usize) {
    (site.function.unit, site.statement.start_byte())
}

fn names(free: &[Variable]) -> String {
    let names: Vec<&str> = free.iter().map(|it| it.name.as_str()).collect();
    names.join(", ")
}

/// A statement without comments and line ends.
fn one_line(unit: &Unit, statement: Node<'_>) -> String {
    let range = statement.byte_range();
    let mut text = String::new();
    let mut at = range.start;
    for it in descendants(statement).iter().filter(|it| it.kind() == "comment") {
        text.push_str(unit.slice(at..it.start_byte()));
        at = it.end_byte();
    }
    text.push_str(unit.slice(at..range.end));
    // The mask blanks comments; what is left of them in the original is cut by line.
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or("").trim())
        .collect();
    lines.join(" ")
}

/// Whether a name is one of the CUDA runtime's or driver's.
pub fn is_cuda(name: &str) -> bool {
    let rest = name.strip_prefix("cuda").or_else(|| name.strip_prefix("cu"));
    rest.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()))
}

/// Identifiers in a text.
pub fn words(text: &str) -> Vec<&str> {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
        .filter(|it| !it.is_empty())
        .collect()
}

fn some(change: Change) -> Option<Change> {
    (!change.is_empty()).then_some(change)
}
