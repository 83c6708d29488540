//! Where statements stand: what encloses a call, where another statement can be put before it, and how one is moved.

use super::FileFacts;
use super::ir::{Expr, ExprKind, Function, Lambda, Role, Span, Stmt, StmtKind};
use super::visit;

/// A replacement of bytes; an empty span inserts.
pub type Change = (Span, String);

/// A statement moved up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The statement it is before now.
    pub target: Span,
    /// What to change for it.
    pub changes: Vec<Change>,
}

/// The innermost function around a span; the body of a macro is no place in the file.
pub fn function_at(facts: &FileFacts, span: Span) -> Option<&Function> {
    let around = facts.functions.iter().filter(|it| holds(it.span, span));
    let innermost = around.min_by_key(|it| it.span.end - it.span.start)?;
    (innermost.role != Role::Macro).then_some(innermost)
}

/// The innermost statement around a span that others may be put before: it stands in braces, not alone behind an `if`.
pub fn statement_at(facts: &FileFacts, bytes: &[u8], span: Span) -> Option<Span> {
    let function = function_at(facts, span)?;
    let list = lists_around(function, bytes, span).pop()?;
    Some(list.statements[list.at].span)
}

/// The expression statement that a call is, perhaps in a macro that checks it, where others may be put before it.
pub fn call_statement(facts: &FileFacts, bytes: &[u8], span: Span) -> Option<Span> {
    let list = lists_around(function_at(facts, span)?, bytes, span).pop()?;
    let statement = &list.statements[list.at];
    match &statement.kind {
        StmtKind::Expr(it) if is_simple(it, span) => Some(statement.span),
        _ => None,
    }
}

/// A statement around something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// Its bytes.
    pub span: Span,
    /// It may run what it holds more than once.
    pub is_loop: bool,
}

/// The statements around a span that others may be put before, innermost first; what is around the lambda it stands in
/// runs at another time, and is none of them.
pub fn statements_around(facts: &FileFacts, bytes: &[u8], span: Span) -> Vec<Around> {
    let Some(function) = function_at(facts, span) else {
        return Vec::new();
    };
    let lists = lists_around(function, bytes, span);
    let lambdas = lists.last().map_or(0, |it| it.lambdas);
    let own = lists.iter().rev().take_while(|it| it.lambdas == lambdas);
    let around = own.map(|list| {
        let statement = &list.statements[list.at];
        let is_loop = matches!(statement.kind, StmtKind::Loop { .. } | StmtKind::RangeFor { .. });
        Around {
            span: statement.span,
            is_loop,
        }
    });
    around.collect()
}

/// New lines behind a statement that has its lines to itself, with its indentation and line ending.
pub fn insertion_behind(bytes: &[u8], behind: Span, lines: &[String]) -> Option<Change> {
    let whole = whole_lines(bytes, behind)?;
    let indent = indentation(bytes, behind.start as usize)?;
    let ending = line_ending(bytes, whole.start as usize);
    let text = lines.iter().map(|it| format!("{indent}{it}{ending}"));
    Some((empty(whole.end as usize), text.collect()))
}

/// New lines before a statement, with its indentation and line ending.
pub fn insertion(bytes: &[u8], before: Span, lines: &[String]) -> Change {
    let start = before.start as usize;
    let line = line_start(bytes, start);
    let (at, text) = match indentation(bytes, start) {
        Some(indent) => {
            let ending = line_ending(bytes, line);
            let text = lines.iter().map(|it| format!("{indent}{it}{ending}"));
            (line, text.collect())
        }
        None => (start, lines.iter().map(|it| format!("{it} ")).collect()),
    };
    (empty(at), text)
}

/// The innermost lambda of a function around a span: what is declared outside of it need not have a name in it.
pub fn lambda_at(function: &Function, span: Span) -> Option<Span> {
    let mut innermost: Option<Span> = None;
    visit::function(function, &mut |node| {
        if let visit::Node::Expr(it) = node
            && matches!(it.kind, ExprKind::Lambda(_))
            && holds(it.span, span)
            && innermost.is_none_or(|known| holds(known, it.span))
        {
            innermost = Some(it.span);
        }
    });
    innermost
}

/// The call at a span, as it is written.
pub fn call_at(facts: &FileFacts, span: Span) -> Option<&Expr> {
    let mut found = None;
    visit::function(function_at(facts, span)?, &mut |node| {
        if let visit::Node::Expr(it) = node
            && it.span == span
            && matches!(it.kind, ExprKind::Call(_) | ExprKind::Launch(_))
        {
            found = Some(it);
        }
    });
    found
}

/// Whether a variable can be named at a span: declared in a block around it, or not in this function at all.
pub fn is_in_scope(facts: &FileFacts, bytes: &[u8], name: &str, at: Span) -> bool {
    let Some(function) = function_at(facts, at) else {
        return false;
    };
    let mut is_local = false;
    visit::function(function, &mut |node| {
        if let visit::Node::Variable(it) = node {
            is_local |= it.name == name;
        }
    });
    let declares = |statement: &Stmt| match &statement.kind {
        StmtKind::Declare(variables) => variables.iter().any(|it| it.name == name),
        _ => false,
    };
    let lists = lists_around(function, bytes, at);
    !is_local
        || lists
            .iter()
            .any(|list| list.statements[..list.at].iter().any(declares))
}

/// Moves a simple statement to before an earlier one of the same block.
///
/// `None` when it is no expression statement, when they share no block, or when what it uses is declared or changed in between.
pub fn moved_before(facts: &FileFacts, bytes: &[u8], moved: Span, before: Span) -> Option<Move> {
    let function = function_at(facts, before)?;
    let lists = lists_around(function, bytes, before);
    let (list, to) = lists.iter().rev().find_map(|list| {
        let to = list.statements.iter().position(|it| holds(it.span, moved))?;
        (to > list.at).then_some((list, to))
    })?;
    let statement = &list.statements[to];
    let StmtKind::Expr(expression) = &statement.kind else {
        return None;
    };
    if !is_simple(expression, moved) || needs(expression, &list.statements[list.at..to]) {
        return None;
    }
    let whole = whole_lines(bytes, statement.span)?;
    let target = list.statements[list.at].span;
    indentation(bytes, target.start as usize)?;
    let text = bytes.get(whole.start as usize..whole.end as usize)?;
    let text = std::str::from_utf8(text).ok()?.to_owned();
    let at = line_start(bytes, target.start as usize);
    Some(Move {
        target,
        changes: vec![(empty(at), text), (whole, String::new())],
    })
}

/// Two statements of one block, and what stands between them.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The first.
    pub first: &'a Stmt,
    /// Between the two.
    pub between: &'a [Stmt],
    /// The second.
    pub second: &'a Stmt,
}

/// The statements of the innermost block that holds both places, where they are two and in this order; none of them
/// in a lambda the other one is outside of.
pub fn pair<'a>(facts: &'a FileFacts, bytes: &[u8], first: Span, second: Span) -> Option<Pair<'a>> {
    let function = function_at(facts, first)?;
    if lambda_at(function, first) != lambda_at(function, second) {
        return None;
    }
    let lists = lists_around(function, bytes, first);
    let list = lists.last().filter(|_| holds(function.span, second))?;
    let mut inner = lists.iter().rev().filter(|it| it.lambdas == list.lambdas);
    inner.find_map(|list| {
        let to = list.statements.iter().position(|it| holds(it.span, second))?;
        (to > list.at).then(|| Pair {
            first: &list.statements[list.at],
            between: &list.statements[list.at + 1..to],
            second: &list.statements[to],
        })
    })
}

impl Pair<'_> {
    /// Moves the first behind the second; `None` where it is neither a call, checked or not, nor a declaration that
    /// nobody in between uses, where what it uses is declared or changed on the way, or where lines are shared.
    pub fn moved_down(&self, bytes: &[u8]) -> Option<Vec<Change>> {
        self.down(bytes, self.is_plain(), &[])
    }

    /// The same, where the first may also be a loop that makes one call.
    pub fn repeated_down(&self, bytes: &[u8]) -> Option<Vec<Change>> {
        match &self.first.kind {
            StmtKind::RangeFor { variable, body, .. } => {
                let mut own = vec![variable.name.as_str()];
                own.extend(variable.bindings.iter().map(String::as_str));
                self.down(bytes, is_one_call(body), &own)
            }
            StmtKind::Loop { init, body, .. } => {
                let variables = init.iter().flat_map(|it| match &it.kind {
                    StmtKind::Declare(variables) => variables.as_slice(),
                    _ => &[],
                });
                let own: Vec<&str> = variables.map(|it| it.name.as_str()).collect();
                self.down(bytes, is_one_call(body), &own)
            }
            _ => self.moved_down(bytes),
        }
    }

    /// Whether the first does one thing.
    fn is_plain(&self) -> bool {
        match &self.first.kind {
            StmtKind::Expr(it) => is_simple(it, it.span),
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
                ..
            } => {
                init.is_empty()
                    && is_simple(condition, condition.span)
                    && otherwise.is_empty()
                    && gives_up(then)
            }
            StmtKind::Declare(variables) => {
                let declared: Vec<&str> = variables.iter().map(|it| it.name.as_str()).collect();
                let mut passed = self.between.iter().chain([self.second]);
                !passed.any(|it| mentions(it, &declared))
            }
            _ => false,
        }
    }

    /// Moves the first behind the second where it may be; `own` are variables nobody else sees.
    fn down(&self, bytes: &[u8], may_move: bool, own: &[&str]) -> Option<Vec<Change>> {
        let passed: Vec<&Stmt> = self.between.iter().chain([self.second]).collect();
        let mut used = Vec::new();
        visit::statements(std::slice::from_ref(self.first), &mut |node| match node {
            visit::Node::Expr(it) => used.extend(match &it.kind {
                ExprKind::Name(name) => Some(name.last()),
                _ => None,
            }),
            visit::Node::Variable(it) => used.push(it.name.as_str()),
            visit::Node::Type(_) | visit::Node::Statement(_) => {}
        });
        used.retain(|it| !own.contains(it));
        if !may_move || passed.iter().any(|it| leaves(it) || changes(it, &used)) {
            return None;
        }
        let whole = whole_lines(bytes, self.first.span)?;
        let behind = whole_lines(bytes, self.second.span)?;
        let text = bytes.get(whole.start as usize..whole.end as usize)?;
        let text = std::str::from_utf8(text).ok()?.to_owned();
        Some(vec![(whole, String::new()), (empty(behind.end as usize), text)])
    }
}

/// Whether a function assigns and steps nothing but variables of its own.
pub fn keeps_to_itself(function: &Function) -> bool {
    let mut own: Vec<&str> = Vec::new();
    visit::function(function, &mut |node| {
        if let visit::Node::Variable(it) = node
            && !it.is_static
            && !it.ty.reference
            && it.ty.pointers == 0
        {
            own.push(&it.name);
        }
    });
    let mut keeps = true;
    visit::function(function, &mut |node| {
        use super::ir::UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
        if let visit::Node::Expr(it) = node {
            let changed = match &it.kind {
                ExprKind::Assign { target, .. } => Some(target),
                ExprKind::Unary {
                    op: PostDecrement | PostIncrement | PreDecrement | PreIncrement,
                    operand,
                } => Some(operand),
                _ => None,
            };
            keeps &= changed.is_none_or(|it| element(it).is_some_and(|it| own.contains(&it)));
        }
    });
    keeps
}

/// Whether statements only leave the function.
fn gives_up(statements: &[Stmt]) -> bool {
    match statements {
        [only] => match &only.kind {
            StmtKind::Block(inner) => gives_up(inner),
            StmtKind::Return(_) => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether statements are one call, checked or not.
fn is_one_call(statements: &[Stmt]) -> bool {
    match statements {
        [only] => match &only.kind {
            StmtKind::Block(inner) => is_one_call(inner),
            StmtKind::Expr(it) => is_simple(it, it.span),
            _ => false,
        },
        _ => false,
    }
}

fn mentions(statement: &Stmt, names: &[&str]) -> bool {
    let mut found = false;
    visit::statements(std::slice::from_ref(statement), &mut |node| {
        if let visit::Node::Expr(it) = node
            && let ExprKind::Name(name) = &it.kind
        {
            found |= names.contains(&name.last());
        }
    });
    found
}

/// Whether a statement declares one of these names, or changes what it stands for or a part of that.
fn changes(statement: &Stmt, names: &[&str]) -> bool {
    let mut found = false;
    visit::statements(std::slice::from_ref(statement), &mut |node| match node {
        visit::Node::Variable(it) => {
            found |= names.contains(&it.name.as_str())
                || it.bindings.iter().any(|it| names.contains(&it.as_str()));
        }
        visit::Node::Expr(it) => {
            found |= target(it).is_some_and(|name| names.contains(&name))
                || matches!(&it.kind, ExprKind::Assign { target, .. } if element(target).is_some_and(|it| names.contains(&it)));
        }
        visit::Node::Type(_) | visit::Node::Statement(_) => {}
    });
    found
}

/// The variable an assigned element or field belongs to.
fn element(expression: &Expr) -> Option<&str> {
    match &expression.kind {
        ExprKind::Index { object, .. } => element(object),
        ExprKind::Member { object, .. } => element(object),
        _ => variable(expression),
    }
}

/// A list of statements, one of which encloses what is looked for.
struct List<'a> {
    statements: &'a [Stmt],
    at: usize,
    /// Lambdas around it.
    lambdas: usize,
}

/// The lists of statements around a span, outermost first; only those that may grow.
fn lists_around<'a>(function: &'a Function, bytes: &[u8], span: Span) -> Vec<List<'a>> {
    let mut lists = Vec::new();
    descend(&function.body, (function.span.start, 0), bytes, span, &mut lists);
    lists
}

/// `from` is where the braces around the statements may be, and how many lambdas they stand in.
fn descend<'a>(body: &'a [Stmt], from: (u32, usize), bytes: &[u8], span: Span, lists: &mut Vec<List<'a>>) {
    let Some(at) = body.iter().position(|it| holds(it.span, span)) else {
        return;
    };
    let (start, lambdas) = from;
    let statement = &body[at];
    let in_braces = at > 0 || opens(bytes, start, statement.span.start);
    if in_braces {
        lists.push(List {
            statements: body,
            at,
            lambdas,
        });
    }
    let before = lists.len();
    for inner in bodies(statement) {
        descend(inner, (statement.span.start, lambdas), bytes, span, lists);
    }
    if lists.len() == before
        && let Some((lambda, start)) = lambda_around(statement, span)
    {
        descend(&lambda.body, (start, lambdas + 1), bytes, span, lists);
    }
}

/// The lists of statements a statement is made of.
pub fn bodies(statement: &Stmt) -> Vec<&[Stmt]> {
    match &statement.kind {
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Loop { body, .. }
        | StmtKind::RangeFor { body, .. }
        | StmtKind::Block(body)
        | StmtKind::OpenMp { body, .. } => vec![body],
        StmtKind::Switch { cases, .. } => cases.iter().map(|it| it.body.as_slice()).collect(),
        StmtKind::Try { body, handlers } => {
            let handlers = handlers.iter().map(|it| &it.body);
            std::iter::once(body).chain(handlers).map(Vec::as_slice).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether statements repeat anything by themselves.
pub fn has_loop(statements: &[Stmt]) -> bool {
    let is_loop = |it: &Stmt| {
        matches!(
            it.kind,
            StmtKind::Loop { .. } | StmtKind::RangeFor { .. } | StmtKind::Goto(_)
        ) || bodies(it).iter().any(|it| has_loop(it))
    };
    statements.iter().any(is_loop)
}

/// The outermost lambda of a statement whose body holds a span, and where it starts.
fn lambda_around(statement: &Stmt, span: Span) -> Option<(&Lambda, u32)> {
    let mut found: Option<(&Lambda, u32)> = None;
    visit::statements(std::slice::from_ref(statement), &mut |node| {
        if let visit::Node::Expr(it) = node
            && let ExprKind::Lambda(lambda) = &it.kind
            && found.is_none()
            && lambda.body.iter().any(|inner| holds(inner.span, span))
        {
            found = Some((lambda, it.span.start));
        }
    });
    found
}

/// Whether one span encloses another.
pub fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a statement does one thing: the thing looked for, perhaps inside of a macro that checks it.
fn is_simple(expression: &Expr, wanted: Span) -> bool {
    let mut simple = true;
    visit::expression(expression, &mut |node| {
        if let visit::Node::Expr(it) = node {
            simple &= !matches!(it.kind, ExprKind::Lambda(_) | ExprKind::Throw(_));
        }
    });
    simple && holds(expression.span, wanted)
}

/// Whether what an expression uses is declared or changed by these statements.
fn needs(expression: &Expr, statements: &[Stmt]) -> bool {
    let mut used = Vec::new();
    visit::expression(expression, &mut |node| {
        if let visit::Node::Expr(it) = node
            && let ExprKind::Name(name) = &it.kind
        {
            used.push(name.last());
        }
    });
    let mut changed = false;
    visit::statements(statements, &mut |node| match node {
        visit::Node::Variable(it) => {
            changed |=
                used.contains(&it.name.as_str()) || it.bindings.iter().any(|it| used.contains(&it.as_str()));
        }
        visit::Node::Expr(it) => changed |= target(it).is_some_and(|name| used.contains(&name)),
        visit::Node::Type(_) | visit::Node::Statement(_) => {}
    });
    changed || statements.iter().any(leaves)
}

/// The variable that an expression assigns, steps or hands out the address of.
fn target(expression: &Expr) -> Option<&str> {
    use super::ir::UnaryOp::{AddressOf, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    match &expression.kind {
        ExprKind::Assign { target, .. } => variable(target),
        ExprKind::Unary {
            op: AddressOf | PostDecrement | PostIncrement | PreDecrement | PreIncrement,
            operand,
        } => variable(operand),
        _ => None,
    }
}

/// The variable itself, not what it points to.
fn variable(expression: &Expr) -> Option<&str> {
    match &expression.kind {
        ExprKind::Name(name) => Some(name.last()),
        ExprKind::Member {
            object, arrow: false, ..
        } => variable(object),
        _ => None,
    }
}

/// Labels and jumps out of a block: what comes after them may never run, or run again.
fn leaves(statement: &Stmt) -> bool {
    matches!(
        statement.kind,
        StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue
    )
}

/// Whether the first statement of a list stands behind a brace or a label, and not alone behind a condition.
fn opens(bytes: &[u8], from: u32, to: u32) -> bool {
    matches!(
        last_token(bytes, from as usize, to as usize),
        Some(b'{' | b'}' | b';' | b':')
    )
}

/// The last byte of code before an offset: comments, literals and directives do not count.
fn last_token(bytes: &[u8], from: usize, to: usize) -> Option<u8> {
    let to = to.min(bytes.len());
    let mut last = None;
    let mut at = from;
    while at < to {
        let byte = bytes[at];
        at = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => end_of_line(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |found| at + found + 4)
            }
            b'#' if indentation(bytes, at).is_some() => end_of_line(bytes, at),
            b'"' | b'\'' => {
                last = Some(byte);
                end_of_literal(bytes, at)
            }
            _ => {
                if !byte.is_ascii_whitespace() {
                    last = Some(byte);
                }
                at + 1
            }
        };
    }
    last
}

fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where a line ends; a backslash before the line break goes on with the next one.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'\n', b'\r', rest))
    {
        at += found;
        if at == 0 || bytes[at - 1] != b'\\' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[..at.min(bytes.len())];
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |found| found + 1);
    match bytes.starts_with(b"\xef\xbb\xbf") && start == 0 {
        true => 3.min(at),
        false => start,
    }
}

/// The white space before what comes first in its line; `None` when something else does.
fn indentation(bytes: &[u8], at: usize) -> Option<&str> {
    let start = line_start(bytes, at);
    let continued = start >= 2 && bytes[..start - 1].trim_ascii_end().ends_with(b"\\");
    let indent = std::str::from_utf8(bytes.get(start..at)?).ok()?;
    (!continued && indent.trim().is_empty()).then_some(indent)
}

/// How the line that starts here ends.
fn line_ending(bytes: &[u8], start: usize) -> &'static str {
    let rest = &bytes[start.min(bytes.len())..];
    match memchr::memchr2(b'\n', b'\r', rest).map(|at| &rest[at..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}

/// The lines of a statement, when it shares them with nothing but a comment behind it.
fn whole_lines(bytes: &[u8], statement: Span) -> Option<Span> {
    indentation(bytes, statement.start as usize)?;
    let mut end = statement.end as usize;
    let line_end = end + memchr::memchr2(b'\n', b'\r', bytes.get(end..)?)?;
    let rest = bytes[end..line_end].trim_ascii();
    let rest = rest.strip_prefix(b";").unwrap_or(rest).trim_ascii();
    if !(rest.is_empty() || rest.starts_with(b"//")) {
        return None;
    }
    end = line_end + line_ending(bytes, line_end).len();
    Some(Span {
        start: u32::try_from(line_start(bytes, statement.start as usize)).ok()?,
        end: u32::try_from(end).ok()?,
    })
}

fn empty(at: usize) -> Span {
    let at = u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: at, end: at }
}

#[cfg(test)]
mod tests {
    use super::{
        Change, insertion, insertion_behind, is_in_scope, moved_before, statement_at, statements_around,
    };
    use crate::facts::{FileFacts, extract};
    use crate::syntax::{Defines, MacroTable, Span};

    fn facts(text: &str) -> FileFacts {
        extract(
            text.as_bytes(),
            &Defines::for_cuda(13_000),
            &MacroTable::default(),
        )
    }

    /// Where a piece of the text is.
    fn find(text: &str, piece: &str) -> Span {
        let start = text.find(piece).expect("it is there") as u32;
        Span {
            start,
            end: start + piece.len() as u32,
        }
    }

    fn changed(text: &str, changes: &[Change]) -> String {
        let mut changes = changes.to_vec();
        changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = text.to_owned();
        for (span, with) in changes {
            text.replace_range(span.start as usize..span.end as usize, &with);
        }
        text
    }

    /// The text with `new();` before the statement that calls `here()`.
    fn inserted(text: &str) -> Option<String> {
        let statement = statement_at(&facts(text), text.as_bytes(), find(text, "here()"))?;
        let change = insertion(text.as_bytes(), statement, &["new();".to_owned()]);
        Some(changed(text, &[change]))
    }

    #[test]
    fn a_line_goes_before_the_statement_that_stands_in_braces() {
        for (text, expected) in [
            (
                "void f() {\n  here();\n}\n",
                "void f() {\n  new();\n  here();\n}\n",
            ),
            (
                "void f() { a(); here(); }\n",
                "void f() { a(); new(); here(); }\n",
            ),
            (
                "void f() {\n  if (x)\n    here();\n}\n",
                "void f() {\n  new();\n  if (x)\n    here();\n}\n",
            ),
            (
                "void f() {\n  if (x) {\n    a();\n  } else if (here()) {\n  }\n}\n",
                "void f() {\n  new();\n  if (x) {\n    a();\n  } else if (here()) {\n  }\n}\n",
            ),
            (
                "void f() {\n  for (;;) // no\n    { // {\n      here();\n    }\n}\n",
                "void f() {\n  for (;;) // no\n    { // {\n      new();\n      here();\n    }\n}\n",
            ),
            (
                "void f() {\n  auto g = [&] { here(); };\n}\n",
                "void f() {\n  auto g = [&] { new(); here(); };\n}\n",
            ),
            (
                "void f() {\n  int x = here();\n}\n",
                "void f() {\n  new();\n  int x = here();\n}\n",
            ),
            (
                "void f() {\r\n\tswitch (x) {\r\n\tcase 1:\r\n\t\there();\r\n\t}\r\n}\r\n",
                "void f() {\r\n\tswitch (x) {\r\n\tcase 1:\r\n\t\tnew();\r\n\t\there();\r\n\t}\r\n}\r\n",
            ),
            (
                "void f() {\n  do\n    here();\n  while (x);\n}\n",
                "void f() {\n  new();\n  do\n    here();\n  while (x);\n}\n",
            ),
        ] {
            assert_eq!(inserted(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_body_of_a_macro_is_no_place() {
        assert_eq!(
            inserted("#define M(x) do { here(); } while (0)\nvoid f() { M(1); }\n"),
            None
        );
        assert_eq!(inserted("int x = here();\n"), None);
    }

    #[test]
    fn statements_around_a_call_end_at_its_lambda() {
        let text = "void f() {\n  for (;;) {\n    go([&] {\n      while (x) {\n        here();\n      }\n    });\n  }\n}\n";
        let around = statements_around(&facts(text), text.as_bytes(), find(text, "here()"));
        let begins: Vec<&str> = around
            .iter()
            .map(|it| &text[it.span.start as usize..][..5])
            .collect();
        assert_eq!(begins, ["here(", "while"]);
        assert_eq!(
            around.iter().map(|it| it.is_loop).collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn lines_behind_a_statement_need_a_line_of_its_own() {
        let behind = |text: &str| {
            let lines = ["wait();".to_owned()];
            let facts = facts(text);
            let statement = statement_at(&facts, text.as_bytes(), find(text, "copy()"))?;
            let change = insertion_behind(text.as_bytes(), statement, &lines)?;
            Some(changed(text, &[change]))
        };
        let own = behind("void f() {\n  copy();  // first\n  use();\n}\n");
        assert_eq!(
            own.as_deref(),
            Some("void f() {\n  copy();  // first\n  wait();\n  use();\n}\n")
        );
        assert_eq!(behind("void f() {\n  copy(); use();\n}\n"), None);
    }

    /// The text with `release();` moved before `wait();`.
    fn moved(text: &str) -> Option<String> {
        let (release, wait) = (find(text, "release("), find(text, "wait()"));
        let length = text[release.start as usize..].find(')').expect("an end") as u32 + 1;
        let release = Span {
            end: release.start + length,
            ..release
        };
        let it = moved_before(&facts(text), text.as_bytes(), release, wait)?;
        Some(changed(text, &it.changes))
    }

    #[test]
    fn a_simple_statement_is_moved_with_its_comment() {
        let text = "void f() {\n  wait();\n  b();\n  release(); // now\n  c();\n}\n";
        let expected = "void f() {\n  release(); // now\n  wait();\n  b();\n  c();\n}\n";
        assert_eq!(moved(text).as_deref(), Some(expected));
    }

    #[test]
    fn what_depends_on_what_is_between_stays() {
        for text in [
            "void f() {\n  wait();\n  int *x = g();\n  release(x);\n}\n",
            "void f(int x) {\n  wait();\n  x = 2;\n  release(x);\n}\n",
            "void f(int x) {\n  wait();\n  g(&x);\n  release(x);\n}\n",
            "void f() {\n  if (x) { wait(); }\n  else { release(); }\n}\n",
            "void f() {\n  wait();\n  int y = release();\n}\n",
            "void f() {\n  wait(); release();\n}\n",
            "void f() {\n  wait();\nagain:\n  release();\n}\n",
        ] {
            assert_eq!(moved(text), None, "{text}");
        }
    }

    #[test]
    fn names_of_inner_blocks_are_not_in_scope_behind_them() {
        let text = "void f(int a) {\n  int b;\n  { int c; }\n  here();\n  int d;\n}\n";
        let at = find(text, "here()");
        let visible = |name: &str| is_in_scope(&facts(text), text.as_bytes(), name, at);
        assert_eq!(
            ["a", "b", "c", "d", "member_"].map(visible),
            [true, true, false, false, true]
        );
    }
}
