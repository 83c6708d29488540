//! Directives: which lines are active, what is defined, and which unknown macro would activate more.
//!
//! `__CUDA_ARCH__` has no single right value in a file that holds host and device code. It is 900 inside the
//! body of a `__global__` or device-only function. Everywhere else it is undefined, except that a conditional
//! none of whose sides would be active is read once more with 900: so `#ifndef __CUDA_ARCH__` host code and
//! `#if __CUDA_ARCH__ >= 700` device functions are both kept, and of two alternatives the host's is read.

mod flips;

use memchr::memmem;

use super::condition::{Environment, Lookup, evaluate};
use super::directives::{Directive, DirectiveKind, first_word, read_define, read_directives};
use super::environment::{ARCH, FileEnvironment, FileMacro, Known};
use super::lexer::{Lexed, Token, is_word_byte};
use super::target::{TargetBits, TargetTracker};
use super::{Defines, FastMap, Flip, MacroDefinition, Span};

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
    /// Active regions that a build with `NDEBUG` leaves out.
    pub(crate) debug_only: Vec<Span>,
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

const DEVICE_ARCH: &[u8] = b"900";

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
        self.note_debug_only(index, taken);
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
                let start = name.iter().position(|&byte| is_word_byte(byte))?;
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
