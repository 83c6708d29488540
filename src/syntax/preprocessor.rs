//! Directives: which lines are active, what is defined, and which unknown macro would activate more.
//!
//! `__CUDA_ARCH__` has no single right value in a file that holds host and device code. It is 900 inside the
//! body of a `__global__` or device-only function. Everywhere else it is undefined, except that a conditional
//! none of whose sides would be active is read once more with 900: so `#ifndef __CUDA_ARCH__` host code and
//! `#if __CUDA_ARCH__ >= 700` device functions are both kept, and of two alternatives the host's is read.

use memchr::memmem;

use super::condition::{Environment, Lookup, evaluate, literals, names};
use super::lexer::{Kind, Lexed, Token, lex_part};
use super::vocabulary::is_api_name;
use super::{Defines, FastMap, Flip, MacroDefinition, Qualifier, Span};

/// What is left of a file when its directives were followed.
#[derive(Debug, Default)]
pub(crate) struct Preprocessed {
    /// Code tokens of active regions; no directives.
    pub(crate) tokens: Vec<Token>,
    /// Directives and inactive regions, in order.
    pub(crate) blanks: Vec<Span>,
    /// Active `#define`s, in order.
    pub(crate) macros: Vec<MacroDefinition>,
    /// Active `#include`s.
    pub(crate) includes: Vec<(String, bool)>,
    /// Active `#pragma`s.
    pub(crate) pragmas: Vec<Span>,
    /// Decisions that could go the other way.
    pub(crate) flips: Vec<Flip>,
}

/// Follows the directives of a file. `qualifier` says which qualifiers a word stands for.
pub(crate) fn preprocess(
    bytes: &[u8],
    lexed: Lexed,
    defines: &Defines,
    qualifier: &dyn Fn(&[u8]) -> TargetBits,
) -> Preprocessed {
    let directives = read_directives(bytes, &lexed.tokens);
    if directives.is_empty() {
        return Preprocessed {
            tokens: lexed.tokens,
            ..Preprocessed::default()
        };
    }
    let mut walk = Walk {
        bytes,
        tokens: &lexed.tokens,
        directives: &directives,
        environment: FileEnvironment {
            bytes,
            defines,
            file: FastMap::default(),
            arch: None,
            flipped: None,
        },
        guards: Vec::new(),
        target: memmem::find(bytes, ARCH).map(|_| TargetTracker::default()),
        events: None,
        out: Preprocessed::default(),
    };
    walk.out.tokens.reserve(lexed.tokens.len());
    walk.run(qualifier);
    walk.out
}

/// Parts of a `#define` directive's text.
pub(crate) fn read_define(bytes: &[u8], arguments: Span) -> Option<MacroDefinition> {
    let text = &bytes[arguments.start as usize..arguments.end as usize];
    let lead = text
        .iter()
        .position(|&byte| !byte.is_ascii_whitespace() && byte != b'\\')?;
    let rest = &text[lead..];
    let length = rest
        .iter()
        .position(|&byte| !super::lexer::is_word_byte(byte))
        .unwrap_or(rest.len());
    if length == 0 {
        return None;
    }
    let start = arguments.start + lead as u32;
    let name_span = Span {
        start,
        end: start + length as u32,
    };
    let name = String::from_utf8_lossy(&rest[..length]).into_owned();
    let (params, body_start) = match rest.get(length) {
        Some(b'(') => {
            let close = memchr::memchr(b')', rest).unwrap_or(rest.len() - 1);
            let list = String::from_utf8_lossy(&rest[length + 1..close.max(length + 1)]).into_owned();
            (Some(parameter_names(&list)), start + close as u32 + 1)
        }
        _ => (None, name_span.end),
    };
    Some(MacroDefinition {
        name,
        name_span,
        params,
        body: body_span(bytes, body_start, arguments.end),
    })
}

/// Qualifiers that say where a function runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TargetBits {
    /// `__host__`.
    pub(crate) host: bool,
    /// `__device__` or `__global__`.
    pub(crate) device: bool,
}

impl TargetBits {
    /// The bits of one qualifier.
    pub(crate) fn of(qualifier: Qualifier) -> Self {
        TargetBits {
            host: qualifier == Qualifier::Host,
            device: matches!(qualifier, Qualifier::Device | Qualifier::Global),
        }
    }

    /// Both together.
    pub(crate) fn with(self, other: Self) -> Self {
        TargetBits {
            host: self.host || other.host,
            device: self.device || other.device,
        }
    }
}

const ARCH: &[u8] = b"__CUDA_ARCH__";
const DEVICE_ARCH: &[u8] = b"900";
const MAX_FLIPS: usize = 12;

fn parameter_names(list: &str) -> Vec<String> {
    let names = list
        .split(',')
        .map(|name| name.trim_matches(|c: char| c.is_whitespace() || c == '\\'));
    let names = names.filter(|name| !name.is_empty());
    names
        .flat_map(|name| match name.strip_suffix("...") {
            Some("") | None => vec![name.to_owned()],
            Some(named) => vec![named.trim_end().to_owned(), "...".to_owned()],
        })
        .collect()
}

/// The body without the white space and comments around it.
fn body_span(bytes: &[u8], start: u32, end: u32) -> Span {
    let start = start.min(end);
    let tokens = lex_part(bytes, Span { start, end }).tokens;
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => Span {
            start: first.start,
            end: last.end,
        },
        _ => Span { start, end: start },
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DirectiveKind {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Define,
    Undef,
    Include,
    Pragma,
    Other,
}

impl DirectiveKind {
    fn of(word: &[u8]) -> Self {
        match word {
            b"if" => DirectiveKind::If,
            b"ifdef" => DirectiveKind::Ifdef,
            b"ifndef" => DirectiveKind::Ifndef,
            b"elif" => DirectiveKind::Elif,
            b"elifdef" => DirectiveKind::Elifdef,
            b"elifndef" => DirectiveKind::Elifndef,
            b"else" => DirectiveKind::Else,
            b"endif" => DirectiveKind::Endif,
            b"define" => DirectiveKind::Define,
            b"undef" => DirectiveKind::Undef,
            b"include" | b"include_next" | b"import" => DirectiveKind::Include,
            b"pragma" => DirectiveKind::Pragma,
            _ => DirectiveKind::Other,
        }
    }

    fn opens(self) -> bool {
        matches!(
            self,
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef
        )
    }

    fn continues(self) -> bool {
        use DirectiveKind::{Elif, Elifdef, Elifndef, Else};
        matches!(self, Elif | Elifdef | Elifndef | Else)
    }
}

#[derive(Debug)]
struct Directive {
    kind: DirectiveKind,
    /// Index of its token.
    token: usize,
    /// What follows the keyword.
    arguments: Span,
    /// Index of the next directive of the same conditional.
    next: Option<usize>,
    /// Index of the conditional's `#endif`.
    end: Option<usize>,
}

fn read_directives(bytes: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let mut directives: Vec<Directive> = Vec::new();
    let mut open: Vec<Vec<usize>> = Vec::new();
    for (token_index, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Directive)
    {
        let index = directives.len();
        let (kind, arguments) = split_directive(bytes, token);
        directives.push(Directive {
            kind,
            token: token_index,
            arguments,
            next: None,
            end: None,
        });
        if kind.opens() {
            open.push(vec![index]);
        } else if kind.continues() || kind == DirectiveKind::Endif {
            let Some(group) = open.last_mut() else { continue };
            directives[group[group.len() - 1]].next = Some(index);
            group.push(index);
            if kind == DirectiveKind::Endif {
                for member in open.pop().unwrap_or_default() {
                    directives[member].end = Some(index);
                }
            }
        }
    }
    directives
}

fn split_directive(bytes: &[u8], token: &Token) -> (DirectiveKind, Span) {
    let text = token.text(bytes);
    let blank = |byte: u8| byte.is_ascii_whitespace() || byte == b'\\';
    let lead = 1 + text[1..]
        .iter()
        .position(|&byte| !blank(byte))
        .unwrap_or(text.len() - 1);
    let length = text[lead..]
        .iter()
        .position(|byte| !byte.is_ascii_alphabetic() && *byte != b'_');
    let length = length.unwrap_or(text.len() - lead);
    let arguments = Span {
        start: token.start + (lead + length) as u32,
        end: token.end,
    };
    (DirectiveKind::of(&text[lead..lead + length]), arguments)
}

struct Walk<'a> {
    bytes: &'a [u8],
    tokens: &'a [Token],
    directives: &'a [Directive],
    environment: FileEnvironment<'a>,
    /// The name each open conditional's taken branch requires to be undefined, when that is all it requires.
    guards: Vec<Option<&'a [u8]>>,
    target: Option<TargetTracker>,
    /// Indices of tokens that are launches or CUDA calls; made when first needed.
    events: Option<Vec<u32>>,
    out: Preprocessed,
}

impl<'a> Walk<'a> {
    fn run(&mut self, qualifier: &dyn Fn(&[u8]) -> TargetBits) {
        let mut from = 0;
        let mut index = 0;
        while let Some(directive) = self.directives.get(index) {
            self.keep(from..directive.token, qualifier);
            let (next_index, next_token) = self.follow(index);
            index = next_index;
            from = next_token;
        }
        self.keep(from..self.tokens.len(), qualifier);
    }

    fn keep(&mut self, range: std::ops::Range<usize>, qualifier: &dyn Fn(&[u8]) -> TargetBits) {
        let tokens = &self.tokens[range];
        self.out.tokens.extend_from_slice(tokens);
        if let Some(tracker) = &mut self.target {
            for token in tokens {
                tracker.advance(token, self.bytes, qualifier);
            }
        }
    }

    /// Handles one directive of an active region; returns the next directive and the next token to look at.
    fn follow(&mut self, index: usize) -> (usize, usize) {
        let directive = &self.directives[index];
        let blank_from = self.tokens[directive.token].start;
        let mut last = index;
        match directive.kind {
            kind if kind.opens() => last = self.enter(index),
            kind if kind.continues() && directive.end.is_some() => {
                last = directive.end.unwrap_or(index);
                self.guards.pop();
            }
            kind if kind.continues() && self.is_in_conditional() => return self.skip_rest(blank_from),
            DirectiveKind::Endif => {
                self.guards.pop();
            }
            DirectiveKind::Define => self.define(directive.arguments),
            DirectiveKind::Undef => self.undefine(directive.arguments),
            DirectiveKind::Include => self.include(directive.arguments),
            DirectiveKind::Pragma => self.pragma(directive),
            _ => {}
        }
        let Some(last_directive) = self.directives.get(last) else {
            return self.skip_rest(blank_from);
        };
        self.out.blanks.push(Span {
            start: blank_from,
            end: self.tokens[last_directive.token].end,
        });
        (last + 1, last_directive.token + 1)
    }

    fn is_in_conditional(&self) -> bool {
        !self.guards.is_empty()
    }

    /// An unterminated conditional whose rest is inactive.
    fn skip_rest(&mut self, blank_from: u32) -> (usize, usize) {
        self.out.blanks.push(Span {
            start: blank_from,
            end: self.bytes.len() as u32,
        });
        (self.directives.len(), self.tokens.len())
    }

    /// Decides a conditional; returns the directive after which reading goes on (past the last one: nowhere).
    fn enter(&mut self, index: usize) -> usize {
        self.environment.arch = self
            .target
            .as_ref()
            .filter(|target| target.is_device())
            .map(|_| DEVICE_ARCH);
        let mut taken = self.decide(index);
        if taken.is_none()
            && self.target.as_ref().is_some_and(|target| !target.is_host())
            && self.asks_arch(index)
        {
            self.environment.arch = Some(DEVICE_ARCH);
            taken = self.decide(index);
        }
        self.collect_flips(index, taken);
        match taken {
            Some(branch) => {
                self.guards.push(self.guard_of(branch));
                branch
            }
            None => self.directives[index].end.unwrap_or(self.directives.len()),
        }
    }

    /// The branch of a conditional that is active, in the present environment.
    fn decide(&self, index: usize) -> Option<usize> {
        let mut branch = Some(index);
        while let Some(current) = branch {
            let directive = &self.directives[current];
            if directive.kind == DirectiveKind::Endif {
                return None;
            }
            if self.holds(directive) {
                return Some(current);
            }
            branch = directive.next;
        }
        None
    }

    fn holds(&self, directive: &Directive) -> bool {
        let text = self.text(directive.arguments);
        let is_defined = || !matches!(self.environment.lookup(first_word(text)), Lookup::Undefined);
        match directive.kind {
            DirectiveKind::If | DirectiveKind::Elif => evaluate(text, &self.environment) != 0,
            DirectiveKind::Ifdef | DirectiveKind::Elifdef => is_defined(),
            DirectiveKind::Ifndef | DirectiveKind::Elifndef => !is_defined(),
            _ => true,
        }
    }

    fn asks_arch(&self, index: usize) -> bool {
        self.branches(index)
            .any(|branch| memmem::find(self.text(self.directives[branch].arguments), ARCH).is_some())
    }

    fn branches(&self, index: usize) -> impl Iterator<Item = usize> + use<'a> {
        let directives = self.directives;
        std::iter::successors(Some(index), move |&branch| directives[branch].next)
            .filter(move |&branch| directives[branch].kind != DirectiveKind::Endif)
    }

    fn guard_of(&self, branch: usize) -> Option<&'a [u8]> {
        let directive = &self.directives[branch];
        let bytes = self.bytes;
        let text = &bytes[directive.arguments.start as usize..directive.arguments.end as usize];
        match directive.kind {
            DirectiveKind::Ifndef => Some(first_word(text)),
            DirectiveKind::If => {
                let negated = text.trim_ascii_start().strip_prefix(b"!")?.trim_ascii_start();
                let name = negated.strip_prefix(b"defined")?;
                let start = name.iter().position(|&byte| super::lexer::is_word_byte(byte))?;
                let word = first_word(&name[start..]);
                let rest = &name[start + word.len()..];
                rest.iter().all(|byte| b" \t)".contains(byte)).then_some(word)
            }
            _ => None,
        }
    }

    fn define(&mut self, arguments: Span) {
        let Some(definition) = read_define(self.bytes, arguments) else {
            return;
        };
        let guarded = self.guards.last().copied().flatten() == Some(definition.name.as_bytes());
        let name = &self.bytes[definition.name_span.start as usize..definition.name_span.end as usize];
        let fixed = self
            .environment
            .defines
            .values
            .contains_key(definition.name.as_str());
        let known = Known {
            params: definition.params.clone(),
            body: definition.body,
            defined: true,
        };
        self.environment.file.insert(
            name,
            FileMacro {
                known,
                guarded: guarded && !fixed,
            },
        );
        self.out.macros.push(definition);
    }

    fn undefine(&mut self, arguments: Span) {
        let bytes = self.bytes;
        let name = first_word(&bytes[arguments.start as usize..arguments.end as usize]);
        let known = Known {
            params: None,
            body: Span::default(),
            defined: false,
        };
        self.environment.file.insert(
            name,
            FileMacro {
                known,
                guarded: false,
            },
        );
    }

    fn include(&mut self, arguments: Span) {
        let text = self.text(arguments).trim_ascii();
        let (close, system) = match text.first() {
            Some(b'<') => (b'>', true),
            Some(b'"') => (b'"', false),
            _ => return,
        };
        if let Some(end) = memchr::memchr(close, &text[1..]) {
            let path = String::from_utf8_lossy(&text[1..=end]).into_owned();
            self.out.includes.push((path, system));
        }
    }

    fn pragma(&mut self, directive: &Directive) {
        let token = self.tokens[directive.token];
        self.out.pragmas.push(Span {
            start: token.start,
            end: token.end,
        });
    }

    fn text(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }
}

/// Finding unknown macros that would activate a region with launches or CUDA calls.
impl Walk<'_> {
    fn collect_flips(&mut self, index: usize, taken: Option<usize>) {
        if self.out.flips.len() >= MAX_FLIPS {
            return;
        }
        let inactive = self.branches(index).filter(|branch| Some(*branch) != taken);
        if !inactive
            .collect::<Vec<_>>()
            .into_iter()
            .any(|branch| self.has_events(branch))
        {
            return;
        }
        for name in self.flippable_names(index) {
            if self.out.flips.len() >= MAX_FLIPS
                || self.out.flips.iter().any(|flip| flip.name.as_bytes() == name)
            {
                continue;
            }
            if let Some(value) = self.activating_value(index, taken, &name) {
                self.out.flips.push(Flip {
                    name: String::from_utf8_lossy(&name).into_owned(),
                    value,
                });
            }
        }
    }

    /// Names in the conditions of a conditional that `-D` could change.
    fn flippable_names(&self, index: usize) -> Vec<Vec<u8>> {
        let mut found: Vec<Vec<u8>> = Vec::new();
        for branch in self.branches(index) {
            for name in names(self.text(self.directives[branch].arguments)) {
                if found.len() < MAX_FLIPS
                    && self.environment.is_flippable(name)
                    && !found.iter().any(|it| it == name)
                {
                    found.push(name.to_vec());
                }
            }
        }
        found
    }

    /// A value for `name` under which another branch, one with events, becomes active.
    fn activating_value(
        &mut self,
        index: usize,
        taken: Option<usize>,
        name: &[u8],
    ) -> Option<Option<String>> {
        let mut values: Vec<Option<i64>> = vec![Some(1)];
        if self.environment.file.contains_key(name) {
            values.push(Some(0));
        }
        for branch in self.branches(index) {
            let numbers = literals(self.text(self.directives[branch].arguments));
            values.extend(
                numbers
                    .into_iter()
                    .take(8)
                    .flat_map(|number| [Some(number), number.checked_add(1)]),
            );
        }
        for value in values.into_iter().flatten().map(|value| value.to_string()) {
            self.environment.flipped = Some((name.to_vec(), value.clone().into_bytes()));
            let now = self.decide(index);
            self.environment.flipped = None;
            if now != taken && now.is_some_and(|branch| self.has_events(branch)) {
                return Some(Some(value));
            }
        }
        None
    }

    /// `true` when the lines between this directive and the next of its conditional hold a launch or CUDA call.
    fn has_events(&mut self, branch: usize) -> bool {
        let directive = &self.directives[branch];
        let from = directive.token;
        let to = directive
            .next
            .map_or(self.tokens.len(), |next| self.directives[next].token);
        let events = self.events.get_or_insert_with(|| events(self.bytes, self.tokens));
        let first = events.partition_point(|&event| (event as usize) < from);
        events.get(first).is_some_and(|&event| (event as usize) < to)
    }
}

/// Indices of the tokens that start a launch configuration or name a CUDA call.
fn events(bytes: &[u8], tokens: &[Token]) -> Vec<u32> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        let is_event = match token.kind {
            Kind::Word => next.is_some_and(|next| next.is(b'(')) && is_api_name(token.text(bytes)),
            Kind::Punct(b'<') => {
                let third = tokens.get(index + 2);
                next.is_some_and(|next| next.is(b'<')) && third.is_some_and(|third| third.is(b'<'))
            }
            _ => false,
        };
        if is_event {
            found.push(index as u32);
        }
    }
    found
}

fn first_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let length = text
        .iter()
        .position(|&byte| !super::lexer::is_word_byte(byte))
        .unwrap_or(text.len());
    &text[..length]
}

#[derive(Debug)]
struct Known {
    params: Option<Vec<String>>,
    body: Span,
    defined: bool,
}

#[derive(Debug)]
struct FileMacro {
    known: Known,
    /// Defined under a `#ifndef` of itself: `-D` can give another value.
    guarded: bool,
}

struct FileEnvironment<'a> {
    bytes: &'a [u8],
    defines: &'a Defines,
    file: FastMap<&'a [u8], FileMacro>,
    arch: Option<&'static [u8]>,
    flipped: Option<(Vec<u8>, Vec<u8>)>,
}

impl FileEnvironment<'_> {
    fn is_flippable(&self, name: &[u8]) -> bool {
        if name == ARCH || name.is_empty() {
            return false;
        }
        match self.file.get(name) {
            Some(known) => known.guarded,
            None => std::str::from_utf8(name).is_ok_and(|name| !self.defines.values.contains_key(name)),
        }
    }
}

impl Environment for FileEnvironment<'_> {
    fn lookup(&self, name: &[u8]) -> Lookup<'_> {
        if let Some((flipped, value)) = &self.flipped
            && flipped == name
        {
            return Lookup::Object(value);
        }
        if name == ARCH {
            return self.arch.map_or(Lookup::Undefined, Lookup::Object);
        }
        if let Some(FileMacro { known, .. }) = self.file.get(name) {
            let body = &self.bytes[known.body.start as usize..known.body.end as usize];
            return match &known.params {
                _ if !known.defined => Lookup::Undefined,
                Some(params) => Lookup::Function(params, body),
                None => Lookup::Object(body),
            };
        }
        let value = std::str::from_utf8(name)
            .ok()
            .and_then(|name| self.defines.values.get(name));
        value
            .and_then(Option::as_ref)
            .map_or(Lookup::Undefined, |value| Lookup::Object(value.as_bytes()))
    }
}

/// Follows braces to know whether a directive stands in device code.
#[derive(Debug, Default)]
struct TargetTracker {
    depth: u32,
    parentheses: u32,
    /// Qualifiers seen since the last `;` or `}`.
    pending: TargetBits,
    /// A function's parameter list has begun since then.
    head: bool,
    /// Depth and qualifiers of the function body around.
    body: Option<(u32, TargetBits)>,
}

impl TargetTracker {
    fn advance(&mut self, token: &Token, bytes: &[u8], qualifier: &dyn Fn(&[u8]) -> TargetBits) {
        match token.kind {
            Kind::Word if self.body.is_none() => {
                self.pending = self.pending.with(qualifier(token.text(bytes)))
            }
            Kind::Punct(b'(') => {
                self.parentheses += 1;
                self.head = true;
            }
            Kind::Punct(b')') => self.parentheses = self.parentheses.saturating_sub(1),
            Kind::Punct(b'{') => self.open_brace(),
            Kind::Punct(b'}') => {
                self.depth = self.depth.saturating_sub(1);
                if self.body.is_some_and(|(depth, _)| self.depth <= depth) {
                    self.body = None;
                }
                self.forget_head();
            }
            Kind::Punct(b';') if self.parentheses == 0 => self.forget_head(),
            _ => {}
        }
    }

    fn open_brace(&mut self) {
        if self.body.is_none() && self.head && self.parentheses == 0 {
            self.body = Some((self.depth, self.pending));
        }
        self.depth += 1;
        self.forget_head();
    }

    fn forget_head(&mut self) {
        if self.body.is_none() || self.depth == 0 {
            self.pending = TargetBits::default();
        }
        self.head = false;
    }

    /// In the body of a function that only runs on the device.
    fn is_device(&self) -> bool {
        self.body.is_some_and(|(_, bits)| bits.device && !bits.host)
    }

    /// In the body of a function that only runs on the host.
    fn is_host(&self) -> bool {
        self.body.is_some_and(|(_, bits)| !bits.device)
    }
}
