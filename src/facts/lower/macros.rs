//! Macros: bodies that are expressions become constants, bodies that call CUDA become functions.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Lowering, Origin, literal};
use crate::facts::FileFacts;
use crate::facts::ir::{
    BinaryOp, Expr, ExprKind, Function, Init, Name, ObjectKind, Parameter, Role, Span, Stmt, StmtKind,
    Target, Type,
};
use crate::facts::visit::{self, Node};
use crate::syntax::{self, Defines, MacroDefinition, MacroTable, Prepared, lexer};

const EXPRESSION_HEAD: &str = "auto x=(";
const FUNCTION_HEAD: &str = "void x(){";

/// Longer bodies are tables and generated code.
const LONGEST_BODY: usize = 64 * 1024;

/// The same for statements where nothing says that they matter.
const LONGEST_STATEMENTS: usize = 2 * 1024;

/// Adds what the macros of a file say to its facts.
pub(super) fn lower_macros(original: &[u8], definitions: &[MacroDefinition], facts: &mut FileFacts) {
    for definition in definitions
        .iter()
        .filter(|definition| definition.params.is_none())
    {
        let Some(mut value) = constant(original, definition) else {
            continue;
        };
        if divide(&mut value, original, definition) {
            let span = value.span;
            let kind = StmtKind::Expr(value);
            let function = macro_function(definition, vec![Stmt { span, kind }]);
            facts.functions.push(function);
        } else {
            facts.constants.push((vec![definition.name.clone()], value));
        }
    }
    let relevant = relevant_macros(original, definitions);
    for (index, definition) in definitions.iter().enumerate() {
        let function = if relevant.contains(&index) {
            function(original, definition)
        } else if definition.params.is_some() {
            nothing(original, definition)
                .or_else(|| expression(original, definition))
                .or_else(|| statements(original, definition))
                .or_else(|| declaration(original, definition))
        } else {
            statements(original, definition).or_else(|| declaration(original, definition))
        };
        facts.functions.extend(function.map(|mut function| {
            if let [
                Stmt {
                    kind: StmtKind::Expr(value),
                    ..
                },
            ] = function.body.as_mut_slice()
            {
                divide(value, original, definition);
            }
            function
        }));
    }
}

/// Makes the bare commas of a macro's value those of a list; whether there are any.
fn divide(value: &mut Expr, original: &[u8], definition: &MacroDefinition) -> bool {
    let (mut depth, mut commas) = (0_u32, 0_u32);
    for token in lexer::lex_part(original, definition.body).tokens {
        match token.kind {
            lexer::Kind::Punct(b'(' | b'[' | b'{') => depth += 1,
            lexer::Kind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            lexer::Kind::Punct(b',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    let (mut next, mut is_list) = (Some(value), false);
    while let Some(Expr {
        kind: ExprKind::Binary { op, left, .. },
        ..
    }) = next.take()
        && *op == BinaryOp::Comma
        && commas > 0
    {
        *op = BinaryOp::List;
        (is_list, commas) = (true, commas - 1);
        next = Some(left);
    }
    is_list
}

/// A function-like macro that leaves nothing of its uses.
fn nothing(original: &[u8], definition: &MacroDefinition) -> Option<Function> {
    let is_empty = lexer::lex_part(original, definition.body).tokens.is_empty();
    is_empty.then(|| macro_function(definition, Vec::new()))
}

/// A function-like macro whose body is an expression; `None` for any other body.
fn expression(original: &[u8], definition: &MacroDefinition) -> Option<Function> {
    let body = definition_body(original, definition)?;
    let is_code = |byte: &u8| matches!(byte, b';' | b'{');
    if body.iter().any(is_code) || pastes(body) {
        return None;
    }
    let function = function(original, definition)?;
    // What the parser has left out in front of it makes it a part of something else: `QUIET if (x) LOUD`.
    let begins = definition.body.start + length(body.iter().take_while(|it| is_blank(it)).count());
    // `ok ? x : throw e` has become a branch with two sides.
    let is_value = |it: &StmtKind| match it {
        StmtKind::If { otherwise, .. } => !otherwise.is_empty(),
        it => matches!(it, StmtKind::Expr(_)),
    };
    let is_expression = matches!(
        function.body.as_slice(),
        [Stmt { kind, span }] if span.start <= begins && is_value(kind)
    );
    is_expression.then_some(function)
}

/// A macro whose body is statements of C++ as it stands: code that is run where it is used, whatever it calls.
fn statements(original: &[u8], definition: &MacroDefinition) -> Option<Function> {
    let body = definition_body(original, definition)?;
    // The semicolon may stand where it is used: `if (!(h)) return FAILED`.
    let is_whole = memchr::memchr2(b';', b'{', body).is_some()
        || begins_statement(first_word(body)) && !is_only_head(body);
    let is_code = is_whole && memchr::memchr2(b'(', b'=', body).is_some();
    if !is_code || body.len() > LONGEST_STATEMENTS || pastes(body) {
        return None;
    }
    let tree = syntax::parse(&as_function(body, definition).text)?;
    if tree.root_node().has_error() {
        return None;
    }
    let function = function(original, definition)?;
    let mut acts = false;
    visit::statements(&function.body, &mut |node| {
        if let Node::Expr(it) = node {
            let is_parameter = |name: &Name| {
                let params = definition.params.iter().flatten();
                name.is_plain() && params.into_iter().any(|it| it == name.last())
            };
            acts |= match &it.kind {
                ExprKind::Call(_) | ExprKind::Assign { .. } => true,
                ExprKind::Name(name) => is_parameter(name),
                _ => false,
            };
        }
    });
    acts.then_some(function)
}

/// Whether a body makes words of its parameters: what they name is known only where it is used. `#x` is a text, and what is
/// pasted to a comma makes no word: `, ##__VA_ARGS__`.
fn pastes(body: &[u8]) -> bool {
    memchr::memmem::find_iter(body, b"##").any(|at| !body[..at].trim_ascii_end().ends_with(b","))
}

/// A macro whose body declares one object, handed something or named by the line: what the constructor of its class does
/// is done where the macro is used.
fn declaration(original: &[u8], definition: &MacroDefinition) -> Option<Function> {
    let body = definition_body(original, definition)?;
    let head = &body[..memchr::memchr2(b'(', b'{', body)?];
    let words = head.split(|it| !is_word(*it)).filter(|it| !it.is_empty());
    if body.len() > LONGEST_STATEMENTS || words.count() < 2 || !follows_type(head) {
        return None;
    }
    let function = function(original, definition)?;
    let is_object = matches!(
        function.body.as_slice(),
        [Stmt {
            kind: StmtKind::Declare(variables),
            ..
        }] if matches!(variables.as_slice(), [it] if !it.ty.name.path.is_empty())
    );
    is_object.then_some(function)
}

/// The value of an object-like macro whose body is an expression.
fn constant(original: &[u8], definition: &MacroDefinition) -> Option<Expr> {
    let body = definition_body(original, definition)?;
    let text = std::str::from_utf8(body).ok()?.trim();
    let span = definition.body;
    if let Some(kind) = simple_value(text, span) {
        return Some(Expr { span, kind });
    }
    let starts_expression = text.starts_with(|c: char| c.is_alphanumeric() || "_(\"'-+~!&*:{".contains(c));
    if !starts_expression || text.contains(';') || text.starts_with('{') || text.contains("__attribute__") {
        return None;
    }
    // Expressions hold nothing that needs the mask.
    let text = wrapped(EXPRESSION_HEAD, body, ");");
    let tree = syntax::parse(&text)?;
    if tree.root_node().has_error() {
        return None;
    }
    let prepared = Prepared {
        text,
        ..Prepared::default()
    };
    let origin = Origin {
        prefix: length(EXPRESSION_HEAD.len()),
        start: span.start,
    };
    let mut lowering = Lowering::new(original, &prepared, &tree, origin);
    lowering.items(tree.root_node());
    match lowering.facts.globals.pop()?.variable.init? {
        Init::Value(value) => Some(value),
        Init::Parens(_) | Init::Braces(_) => None,
    }
}

/// Literals and plain names, which most macros are, without a parser.
fn simple_value(text: &str, span: Span) -> Option<ExprKind> {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .map_or(text, str::trim);
    let first = inner.chars().next()?;
    let is_word = inner
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
    if !is_word {
        return None;
    }
    if first.is_ascii_digit() {
        let kind = literal::number(inner)?;
        return Some(match literal::type_of_number(inner) {
            Some(ty) => ExprKind::Cast {
                ty: Type::plain(ty),
                operand: Box::new(Expr { span, kind }),
            },
            None => kind,
        });
    }
    match inner {
        "true" => Some(ExprKind::Int(1)),
        "false" => Some(ExprKind::Int(0)),
        "NULL" | "nullptr" => Some(ExprKind::Null),
        _ if inner.contains('\'') || is_keyword(inner) => None,
        _ => Some(ExprKind::Name(Name::plain(inner))),
    }
}

/// Words that stand for a type, a qualifier or a part of a statement rather than a value.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "bool"
            | "char"
            | "const"
            | "constexpr"
            | "double"
            | "else"
            | "extern"
            | "float"
            | "for"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "return"
            | "short"
            | "signed"
            | "static"
            | "struct"
            | "typename"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
    ) || word.starts_with("__")
}

/// Macros whose body launches, calls CUDA, reads a clock, calls a parameter, loops, or calls another such macro.
fn relevant_macros(original: &[u8], definitions: &[MacroDefinition]) -> BTreeSet<usize> {
    let mut relevant = BTreeSet::new();
    let mut pending: Vec<(usize, Vec<&[u8]>)> = Vec::new();
    for (index, definition) in definitions.iter().enumerate() {
        let Some(body) = definition_body(original, definition) else {
            continue;
        };
        let called = called_names(body);
        let Some(params) = &definition.params else {
            if is_object_code(&definition.name, body, &called) {
                relevant.insert(index);
            }
            continue;
        };
        let calls_parameter = || {
            called
                .iter()
                .any(|name| params.iter().any(|param| param.as_bytes() == *name))
        };
        let contains = |text: &[u8]| memchr::memmem::find(body, text).is_some();
        if contains(b"<<<")
            || contains(b"volatile")
            || loops(body)
            || contains(b"[&")
            || contains(b"[=")
            || called.iter().any(|name| name.starts_with(b"atomic"))
            || called.iter().any(|name| is_gpu_call(name) || is_clock(name))
            || calls_parameter()
        {
            relevant.insert(index);
        } else if !called.is_empty() {
            pending.push((index, called));
        }
    }
    loop {
        let names: BTreeSet<&[u8]> = relevant
            .iter()
            .map(|&index| definitions[index].name.as_bytes())
            .collect();
        let before = pending.len();
        pending.retain(|(index, called)| {
            let calls_relevant = called.iter().any(|name| names.contains(name));
            if calls_relevant {
                relevant.insert(*index);
            }
            !calls_relevant
        });
        if pending.len() == before {
            return relevant;
        }
    }
}

/// An object-like macro that declares or assigns what a clock or a GPU call gives: `#define TIC auto t = now()`.
fn is_object_code(name: &str, body: &[u8], called: &[&[u8]]) -> bool {
    let is_assigned = || {
        let is_operator = |byte: u8| b"=!<>+-*/%&|^".contains(&byte);
        memchr::memchr_iter(b'=', body).any(|at| {
            let before = at.checked_sub(1).map(|it| body[it]);
            !before.is_some_and(is_operator) && body.get(at + 1) != Some(&b'=')
        })
    };
    let is_code = || memchr::memchr(b';', body).is_some() || is_assigned();
    called
        .iter()
        .any(|it| *it != name.as_bytes() && (is_clock(it) || is_gpu_call(it)))
        && is_code()
}

/// Names of functions that give the time.
fn is_clock(name: &[u8]) -> bool {
    const CLOCKS: &[&[u8]] = &[
        b"now",
        b"clock",
        b"clock_gettime",
        b"gettimeofday",
        b"omp_get_wtime",
        b"MPI_Wtime",
    ];
    CLOCKS.contains(&name)
}

/// A `while` whose condition is more than the `0` of a body wrapped in `do`.
fn loops(body: &[u8]) -> bool {
    memchr::memmem::find_iter(body, b"while").any(|at| {
        let after = body[at + b"while".len()..].trim_ascii_start();
        let condition = after.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
        condition.is_some_and(|it| !it.starts_with(b"0") && !it.starts_with(b"false"))
    })
}

/// Identifiers followed by `(`.
fn called_names(body: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    for open in memchr::memchr_iter(b'(', body) {
        let end = body[..open]
            .iter()
            .rposition(|&byte| byte != b' ' && byte != b'\t')
            .map_or(0, |last| last + 1);
        let start = body[..end]
            .iter()
            .rposition(|&byte| !is_word(byte))
            .map_or(0, |last| last + 1);
        if start < end && !body[start].is_ascii_digit() {
            names.push(&body[start..end]);
        }
    }
    names
}

/// Names that look like calls of CUDA, HIP or one of their libraries.
fn is_gpu_call(name: &[u8]) -> bool {
    const PREFIXES: &[&[u8]] = &[
        b"cuda",
        b"hip",
        b"nccl",
        b"rccl",
        b"cublas",
        b"cufft",
        b"curand",
        b"cusparse",
        b"cusolver",
        b"cudnn",
        b"nvrtc",
        b"nvshmem",
        b"gpu",
    ];
    let driver = name.starts_with(b"cu") && name.get(2).is_some_and(u8::is_ascii_uppercase);
    driver
        || PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix) && name.len() > prefix.len())
}

/// A function-like macro as a function with textual parameters.
fn function(original: &[u8], definition: &MacroDefinition) -> Option<Function> {
    let body = definition_body(original, definition)?;
    let prepared = as_function(body, definition);
    let tree = syntax::parse(&prepared.text)?;
    let origin = Origin {
        prefix: length(FUNCTION_HEAD.len()),
        start: definition.body.start,
    };
    let mut lowering = Lowering::new(original, &prepared, &tree, origin);
    lowering.variables.extend(values(body, definition));
    lowering.items(tree.root_node());
    let mut parsed = lowering.facts.functions;
    let index = parsed.iter().position(|function| function.path == ["x"])?;
    let mut statements = parsed.swap_remove(index).body;
    clamp_spans(&mut statements, definition.body);
    Some(macro_function(definition, statements))
}

/// The head of a loop that a macro stands for, with nothing as its body.
pub(super) fn loop_head(original: &[u8], text: &str, place: Span) -> Option<StmtKind> {
    let text = wrapped(FUNCTION_HEAD, text.as_bytes(), "\n;}");
    let prepared = syntax::prepare(&text, &Defines::default(), &MacroTable::default());
    let tree = syntax::parse(&prepared.text)?;
    let origin = Origin {
        prefix: length(FUNCTION_HEAD.len()),
        start: place.start,
    };
    let mut lowering = Lowering::new(original, &prepared, &tree, origin);
    lowering.items(tree.root_node());
    let mut parsed = lowering.facts.functions.into_iter();
    let mut body = parsed.find(|function| function.path == ["x"])?.body;
    (body.len() == 1).then(|| body.remove(0).kind)
}

/// What stands for a macro with these statements.
fn macro_function(definition: &MacroDefinition, statements: Vec<Stmt>) -> Function {
    Function {
        path: vec![definition.name.clone()],
        namespaces: 0,
        role: Role::Macro,
        target: Target::Host,
        template_params: Vec::new(),
        template_defaults: Vec::new(),
        demands: Vec::new(),
        specialisation: Vec::new(),
        result: Type::plain("auto"),
        params: definition
            .params
            .iter()
            .flatten()
            .map(|name| parameter(name))
            .collect(),
        initialisers: Vec::new(),
        body: statements,
        defined: true,
        internal: false,
        is_static: false,
        constant: false,
        object: ObjectKind::Any,
        is_virtual: false,
        is_explicit: false,
        public: true,
        span: Span {
            start: definition.name_span.start,
            end: definition.body.end,
        },
        name_span: definition.name_span,
    }
}

/// The body of a macro as that of a function. What a project's macros do to other files does not reach into it.
fn as_function(body: &[u8], definition: &MacroDefinition) -> Prepared {
    let text = wrapped(FUNCTION_HEAD, body, "\n;}");
    syntax::prepare(
        &text,
        &Defines::default(),
        &statement_parameters(body, definition),
    )
}

/// Parameters that stand for statements, `;` and all: `{ code }`, `code break;`.
fn statement_parameters(body: &[u8], definition: &MacroDefinition) -> MacroTable {
    let stands = |name: &str| {
        let places = memchr::memmem::find_iter(body, name).filter(|at| {
            let is_end = |it: Option<&u8>| it.is_none_or(|it| !is_word(*it));
            is_end(at.checked_sub(1).and_then(|it| body.get(it))) && is_end(body.get(at + name.len()))
        });
        let mut closes = false;
        for at in places {
            let before = body[..at].iter().rev().find(|it| !is_blank(it));
            let mut behind = body[at + name.len()..]
                .iter()
                .skip_while(|it| is_blank(it))
                .peekable();
            if !before.is_none_or(|it| b"{};)".contains(it)) {
                continue;
            }
            match behind.peek() {
                Some(b'}') => closes = true,
                Some(it) if is_word(**it) => {
                    let word: Vec<u8> = behind.take_while(|it| is_word(**it)).copied().collect();
                    match begins_statement(&word) {
                        true => closes = true,
                        false => return false,
                    }
                }
                _ => {}
            }
        }
        closes
    };
    let mut table = MacroTable::default();
    let params = definition.params.iter().flatten().map(|it| parameter(it).name);
    table
        .statements
        .extend(params.filter(|it| stands(it)).map(|it| (it, ())));
    table
}

/// Whether a body is a word and what stands in parentheses behind it: `if (section(name))`, whose statement stands behind its use.
fn is_only_head(body: &[u8]) -> bool {
    let (mut depth, mut closed) = (0, false);
    for byte in body.trim_ascii_end() {
        if closed {
            return false;
        }
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                closed = depth == 0;
            }
            _ => {}
        }
    }
    closed
}

fn first_word(body: &[u8]) -> &[u8] {
    let body = body.trim_ascii_start();
    &body[..body.iter().take_while(|it| is_word(**it)).count()]
}

/// Words that no declaration and no expression goes on with.
fn begins_statement(word: &[u8]) -> bool {
    matches!(
        word,
        b"break"
            | b"case"
            | b"continue"
            | b"default"
            | b"do"
            | b"for"
            | b"goto"
            | b"if"
            | b"return"
            | b"switch"
            | b"while"
    )
}

/// Parameters of a macro that its body does not use as types: `(T *)x`, `Buffer<T>`.
fn values(body: &[u8], definition: &MacroDefinition) -> Vec<String> {
    let is_type = |name: &str| {
        memchr::memmem::find_iter(body, name).any(|at| {
            let before = body[..at].trim_ascii_end().last();
            let behind = body[at + name.len()..].trim_ascii_start();
            let points =
                behind.first() == Some(&b'*') && behind[1..].trim_ascii_start().first() == Some(&b')');
            points || before == Some(&b'<') && behind.first() == Some(&b'>')
        })
    };
    let params = definition.params.iter().flatten();
    params.filter(|it| !is_type(it)).cloned().collect()
}

/// `...` is a pack that the body knows as `__VA_ARGS__`; `args...` is one with a name.
fn parameter(name: &str) -> Parameter {
    let pack = name.ends_with("...");
    let plain = name.trim_end_matches("...").trim();
    let name = if pack && plain.is_empty() {
        "__VA_ARGS__"
    } else {
        plain
    };
    Parameter {
        name: name.to_owned(),
        ty: Type::plain("auto"),
        default: None,
        pack,
    }
}

/// The last statement of a body without `;` ends behind it, at the text that was added.
fn clamp_spans(statements: &mut [Stmt], body: Span) {
    if let Some(last) = statements.last_mut() {
        last.span.end = last.span.end.min(body.end);
    }
}

/// A body with a head and a tail around it; continuations, `#` and `##` are made harmless in place.
fn wrapped(head: &str, body: &[u8], tail: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(head.len() + body.len() + tail.len());
    text.extend_from_slice(head.as_bytes());
    text.extend_from_slice(body);
    let body_end = text.len();
    neutralise(&mut text[head.len()..body_end]);
    name_uniquely(&mut text[head.len()..body_end]);
    text.extend_from_slice(tail.as_bytes());
    text
}

fn neutralise(body: &mut [u8]) {
    let mut quote = None;
    let mut index = 0;
    while index < body.len() {
        let byte = body[index];
        let next = body.get(index + 1).copied();
        match (quote, byte) {
            (_, b'\\') if matches!(next, Some(b'\n' | b'\r')) => body[index] = b' ',
            (Some(_), b'\\') => index += 1,
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if !is_digit_separator(body, index) => quote = Some(byte),
            (None, b'#') if next == Some(b'#') => index = paste(body, index),
            (None, b'#') => index = stringify(body, index),
            _ => {}
        }
        index += 1;
    }
}

/// `CONCAT(name_, __LINE__)` becomes one identifier of the same length where it names what is declared: what it expands to is one.
fn name_uniquely(body: &mut [u8]) {
    let made: Vec<Range<usize>> = [&b"__LINE__"[..], b"__COUNTER__"]
        .iter()
        .flat_map(|counter| memchr::memmem::find_iter(body, counter))
        .filter_map(|at| call_around(body, at))
        .collect();
    let declared: BTreeSet<Vec<u8>> = made
        .iter()
        .filter(|it| follows_type(&body[..it.start]))
        .map(|it| body[it.clone()].to_vec())
        .collect();
    for call in made {
        if declared.contains(&body[call.clone()]) {
            let letters = body[call].iter_mut();
            letters.filter(|it| !is_word(**it)).for_each(|it| *it = b'_');
        }
    }
}

/// The call of a name with nothing but words as arguments, one of which is at `at`.
fn call_around(body: &[u8], at: usize) -> Option<Range<usize>> {
    let is_part = |byte: &u8| is_word(*byte) || matches!(byte, b',' | b' ');
    let open = body[..at].iter().rposition(|byte| !is_part(byte))?;
    let close = at + body[at..].iter().position(|byte| !is_part(byte))?;
    let name = body[..open]
        .iter()
        .rposition(|byte| !is_word(*byte))
        .map_or(0, |it| it + 1);
    (body[open] == b'(' && body[close] == b')' && name < open).then_some(name..close + 1)
}

/// Whether the statement that ends here is a type so far: what comes next is the name of a variable.
fn follows_type(before: &[u8]) -> bool {
    let start = before
        .iter()
        .rposition(|byte| matches!(byte, b';' | b'{' | b'}'))
        .map_or(0, |it| it + 1);
    let text = before[start..].trim_ascii();
    let from_the_top = text.strip_prefix(b"::").unwrap_or(text);
    let first = from_the_top.iter().copied().take_while(|it| is_word(*it));
    let first: Vec<u8> = first.collect();
    let is_statement = matches!(
        first.as_slice(),
        b"return"
            | b"else"
            | b"do"
            | b"throw"
            | b"case"
            | b"delete"
            | b"co_return"
            | b"co_await"
            | b"co_yield"
    );
    let is_type = |byte: &u8| is_word(*byte) || b" \t:<>,&*#".contains(byte);
    !first.is_empty() && !is_statement && text.iter().all(is_type)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_digit_separator(body: &[u8], index: usize) -> bool {
    body[index] == b'\''
        && index > 0
        && body[index - 1].is_ascii_hexdigit()
        && body.get(index + 1).is_some_and(u8::is_ascii_hexdigit)
        && body.get(index + 2) != Some(&b'\'')
}

/// `#x` becomes a string of the same length; returns the last byte it wrote.
fn stringify(body: &mut [u8], at: usize) -> usize {
    let behind = &body[at + 1..];
    let blanks = behind.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
    let words = behind[blanks..].iter().take_while(|it| is_word(**it)).count();
    if words == 0 {
        body[at] = b' ';
        return at;
    }
    let end = at + blanks + words;
    body[at] = b'"';
    body[end] = b'"';
    end
}

/// `a ## b` becomes one identifier of the same length; returns the last byte it wrote.
fn paste(body: &mut [u8], at: usize) -> usize {
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let mut start = at;
    while start > 0 && is_blank(body[start - 1]) {
        start -= 1;
    }
    let mut end = at + 2;
    while end < body.len() && is_blank(body[end]) {
        end += 1;
    }
    let is_word = |byte: Option<&u8>| byte.is_some_and(|&it| is_word(it));
    let joins_words = start > 0 && is_word(body.get(start - 1)) && is_word(body.get(end));
    // `, ## __VA_ARGS__` pastes nothing.
    let filler = if joins_words { b'_' } else { b' ' };
    body[start..end].fill(filler);
    end - 1
}

fn definition_body<'a>(original: &'a [u8], definition: &MacroDefinition) -> Option<&'a [u8]> {
    let body = original.get(definition.body.start as usize..definition.body.end as usize)?;
    (!body.is_empty() && body.len() <= LONGEST_BODY).then_some(body)
}

/// White space in the body of a macro, where lines go on.
fn is_blank(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b'\\'
}

fn length(text: usize) -> u32 {
    u32::try_from(text).unwrap_or(u32::MAX)
}
