//! Unknown macros that would activate a region with launches or CUDA calls.

use super::super::condition::{literals, names};
use super::super::lexer::{Kind, Token, lex_part};
use super::super::vocabulary::is_api_name;
use super::super::{Flip, Span};
use super::Walk;

const MAX_FLIPS: usize = 12;

/// Calls that tell what went wrong before.
const ERROR_QUERIES: [&[u8]; 4] = [
    b"cudaGetLastError",
    b"cudaPeekAtLastError",
    b"hipGetLastError",
    b"hipPeekAtLastError",
];

/// The calls in a part of the text, those among the arguments of others as well: their names, and all they are.
fn calls(bytes: &[u8], region: Span) -> Vec<(&[u8], Span)> {
    let tokens = lex_part(bytes, region).tokens;
    let is_open = |at: usize| tokens.get(at).is_some_and(|it| it.is(b'('));
    let heads = (0..tokens.len()).filter(|at| tokens[*at].kind == Kind::Word && is_open(at + 1));
    let call = |at: usize| {
        let mut depth = 0;
        let end = tokens[at + 1..].iter().find(|it| {
            depth += i32::from(it.is(b'(')) - i32::from(it.is(b')'));
            depth == 0
        });
        let span = Span {
            start: tokens[at].start,
            end: end.map_or(region.end, |it| it.end),
        };
        (tokens[at].text(bytes), span)
    };
    heads.map(call).collect()
}

/// What a release build defines.
const RELEASE: &[u8] = b"NDEBUG";

impl Walk<'_> {
    /// Adds the flips of one conditional, of which this branch is taken.
    pub(super) fn collect_flips(&mut self, index: usize, taken: Option<usize>) {
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

    /// The active branch of a conditional that another one takes the place of where `NDEBUG` is defined.
    pub(super) fn note_debug_only(&mut self, index: usize, taken: Option<usize>) {
        let asks = |branch: usize| {
            let text = self.text(self.directives[branch].arguments);
            memchr::memmem::find(text, RELEASE).is_some() && names(text).contains(&RELEASE)
        };
        let Some(taken) = taken.filter(|_| self.branches(index).any(asks)) else {
            return;
        };
        self.environment.flipped = Some((RELEASE.to_vec(), b"1".to_vec()));
        let release = self.decide(index);
        self.environment.flipped = None;
        if release == Some(taken) {
            return;
        }
        let region = self.region(taken);
        let Some(release) = release else {
            self.out.debug_only.push(region);
            return;
        };
        let bytes = self.bytes;
        let (own, others) = (calls(bytes, region), calls(bytes, self.region(release)));
        let is_shared =
            |name: &[u8]| own.iter().any(|it| it.0 == name) && others.iter().any(|it| it.0 == name);
        if self.may_wait(release, is_shared) {
            return;
        }
        match own.iter().any(|it| is_shared(it.0)) {
            // What both builds call is no matter of the build.
            true => {
                let own = own.iter().filter(|it| !is_shared(it.0)).map(|it| it.1);
                self.out.debug_only.extend(own);
            }
            false => self.out.debug_only.push(region),
        }
    }

    /// What stands between a directive and the next one of its conditional.
    fn region(&self, branch: usize) -> Span {
        let directive = &self.directives[branch];
        let end = directive.next.map_or(self.bytes.len() as u32, |next| {
            self.tokens[self.directives[next].token].start
        });
        Span {
            start: self.tokens[directive.token].end,
            end,
        }
    }

    /// Whether a branch does more than ask for the last error: there is a call in it that is not made of such a question,
    /// and not one of those that are made elsewhere as well.
    fn may_wait(&self, branch: usize, elsewhere: impl Fn(&[u8]) -> bool) -> bool {
        let tokens = lex_part(self.bytes, self.region(branch)).tokens;
        let word = |at: usize| tokens.get(at).map_or(&b""[..], |it| it.text(self.bytes));
        let opens = |at: usize| tokens.get(at).is_some_and(|it| it.is(b'('));
        let closing = |from: usize| {
            let mut depth = 0;
            (from..tokens.len()).find(|at| {
                depth += i32::from(tokens[*at].is(b'(')) - i32::from(tokens[*at].is(b')'));
                depth == 0
            })
        };
        let mut at = 0;
        while at < tokens.len() {
            let is_head = tokens[at].is(b'#') && word(at + 1) == b"define";
            let name = if is_head { at + 2 } else { at };
            if tokens[at].kind != Kind::Word && !is_head || !opens(name + 1) {
                at = name + 1;
                continue;
            }
            let end = closing(name + 1).unwrap_or(tokens.len());
            let calls = (name..end).filter(|at| opens(at + 1)).map(word);
            let mut asked = calls.filter(|it| is_api_name(it)).peekable();
            let asks = asked.peek().is_some();
            let is_other = |it: &[u8]| !ERROR_QUERIES.contains(&it) && !elsewhere(it);
            if !is_head && (!asks && !elsewhere(word(name)) || asked.any(is_other)) {
                return true;
            }
            at = end + 1;
        }
        false
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

/// What a macro may put between the begin and the end of a capture, or is such an end.
const CAPTURE_MACROS: [&[u8]; 3] = [b"StreamBeginCapture", b"StreamSynchronize", b"DeviceSynchronize"];

/// Indices of the tokens that start a launch configuration or name a CUDA call, or, in a file that captures a stream,
/// define a macro for one or set a flag.
fn events(bytes: &[u8], tokens: &[Token]) -> Vec<u32> {
    let mut found = Vec::new();
    let captures = memchr::memmem::find(bytes, CAPTURE_MACROS[0]).is_some();
    let mentions = |text: &[u8]| {
        CAPTURE_MACROS
            .iter()
            .any(|it| memchr::memmem::find(text, it).is_some())
    };
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        let is_event = match token.kind {
            Kind::Word => next.is_some_and(|next| next.is(b'(')) && is_api_name(token.text(bytes)),
            Kind::Punct(b'<') => {
                let third = tokens.get(index + 2);
                next.is_some_and(|next| next.is(b'<')) && third.is_some_and(|third| third.is(b'<'))
            }
            // A flag that decides whether it comes to a capture.
            Kind::Punct(b'=') if captures => next.is_some_and(|next| next.text(bytes) == b"true"),
            Kind::Directive => captures && mentions(token.text(bytes)),
            _ => false,
        };
        if is_event {
            found.push(index as u32);
        }
    }
    found
}
