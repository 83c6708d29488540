//! Blanks CUDA qualifiers and project macros that expand to nothing but qualifiers.

use super::lexer::{Kind, Token};
use super::macro_table::{CALLED, Meaning, classify, is_specifier, skip_group, undefined};
use super::target::TargetBits;
use super::vocabulary::{Shape, builtin_qualifier, is_keyword};
use super::{FastMap, LoopHead, MacroDefinition, MacroTable, Qualifier, QualifierMark, Span};

/// The qualifier words of one file: those of the dialect, of the project, and of the file itself.
pub(crate) struct QualifierWords<'a> {
    project: &'a ProjectWords,
    /// What the file says of a name; `None` when it means something else there.
    own: FastMap<&'a [u8], Option<ProjectMacro>>,
    filter: Filter,
}

/// The qualifier macros of a [`MacroTable`], resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectWords {
    words: FastMap<Vec<u8>, ProjectMacro>,
    filter: Filter,
    statements: FastMap<Vec<u8>, ()>,
    statement_filter: Filter,
    heads: FastMap<Vec<u8>, LoopHead>,
}

impl ProjectWords {
    /// Resolves all macros of a table.
    pub(crate) fn new(table: &MacroTable) -> Self {
        let mut project = ProjectWords::default();
        for effective in table.effective() {
            let name = effective.name.as_bytes();
            project.filter.add(name);
            let mut it = ProjectMacro::new(effective.words.iter().copied(), Reach::Project);
            if effective.conflicting {
                it.reach = Reach::Conflicting;
            }
            project.words.insert(name.to_vec(), it);
        }
        for name in table.statement_names() {
            project.statement_filter.add(name.as_bytes());
            project.statements.insert(name.as_bytes().to_vec(), ());
        }
        let heads = table.heads.iter();
        let heads = heads.filter_map(|(name, it)| Some((name.as_bytes().to_vec(), it.clone()?)));
        project.heads = heads.collect();
        project
    }

    /// What a macro stands for that is the head of a loop.
    pub(crate) fn loop_head(&self, name: &[u8]) -> Option<&LoopHead> {
        self.heads.get(name)
    }

    /// `true` for a macro whose use stands as a whole statement.
    pub(crate) fn is_statement(&self, name: &[u8]) -> bool {
        self.statement_filter.may_hold(name) && self.statements.contains_key(name)
    }
}

impl<'a> QualifierWords<'a> {
    /// The words every file of the project shares.
    pub(crate) fn of_project(table: &'a MacroTable) -> Self {
        let project = table.resolved();
        QualifierWords {
            project,
            own: FastMap::default(),
            filter: project.filter.clone(),
        }
    }

    /// Adds what the file's own active definitions say; they win over the project's.
    pub(crate) fn add_file(&mut self, bytes: &'a [u8], macros: &[MacroDefinition]) {
        let taken_back = undefined(bytes);
        for definition in macros {
            let name = &bytes[definition.name_span.start as usize..definition.name_span.end as usize];
            // A keyword means itself again behind the `#undef`, and what stands between is hardly code.
            if is_keyword(name) && taken_back.contains_key(name) {
                continue;
            }
            let own = match classify(bytes, definition) {
                Meaning::Qualifiers { words, .. } if words.iter().all(|word| self.is_known(word)) => {
                    let mut all = self.expand(&words);
                    if definition.params.is_some() {
                        all.push(CALLED.to_owned());
                    }
                    Some(ProjectMacro::new(all.iter().map(String::as_str), Reach::Own))
                }
                _ => None,
            };
            self.filter.add(name);
            self.own.insert(name, own);
        }
    }

    /// Where a function with this word in its head runs.
    pub(crate) fn target(&self, word: &[u8]) -> TargetBits {
        if let Some((qualifier, _)) = builtin_qualifier(word) {
            return TargetBits::of(qualifier);
        }
        let bits = self
            .find(word)
            .map(|it| it.qualifiers.iter().map(|&it| TargetBits::of(it)));
        bits.into_iter()
            .flatten()
            .fold(TargetBits::default(), TargetBits::with)
    }

    /// Blanks every qualifier in `text`; returns the marks and leaves the other tokens in `tokens`.
    pub(crate) fn blank(&self, bytes: &[u8], tokens: &mut Vec<Token>, text: &mut [u8]) -> Vec<QualifierMark> {
        let mut marks = Vec::new();
        let mut kept = 0;
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            let end = match token.kind {
                Kind::Word => self.qualifier_end(bytes, tokens, at, kept, text, &mut marks),
                _ => at,
            };
            if end == at {
                tokens[kept] = token;
                kept += 1;
                at += 1;
            } else {
                at = end;
            }
        }
        tokens.truncate(kept);
        marks
    }

    /// Blanks the qualifier at `at`; one past its last token, or `at` when it is none.
    fn qualifier_end(
        &self,
        bytes: &[u8],
        tokens: &[Token],
        at: usize,
        kept: usize,
        text: &mut [u8],
        marks: &mut Vec<QualifierMark>,
    ) -> usize {
        let word = tokens[at].text(bytes);
        if let Some((qualifier, shape)) = builtin_qualifier(word) {
            let end = match shape {
                Shape::Bare => at + 1,
                Shape::Argument => skip_group(tokens, at + 1, b'(', b')').max(at + 1),
            };
            let span = Span {
                start: tokens[at].start,
                end: tokens[end - 1].end,
            };
            super::mask::blank(text, span);
            marks.push(QualifierMark { span, qualifier });
            return end;
        }
        let Some(project) = self.find(word) else {
            return at;
        };
        let end = if project.called {
            skip_group(tokens, at + 1, b'(', b')')
        } else {
            at + 1
        };
        let previous = kept.checked_sub(1).map(|index| tokens[index]);
        if (project.called && end == at + 1) || !project.applies(previous, tokens.get(end)) {
            return at;
        }
        let span = Span {
            start: tokens[at].start,
            end: tokens[end - 1].end,
        };
        super::mask::blank(text, span);
        super::mask::write(text, span, project.specifiers.as_bytes());
        marks.extend(
            project
                .qualifiers
                .iter()
                .map(|&qualifier| QualifierMark { span, qualifier }),
        );
        if project.qualifiers.is_empty() {
            marks.push(QualifierMark {
                span,
                qualifier: Qualifier::Other,
            });
        }
        end
    }

    fn find(&self, word: &[u8]) -> Option<&ProjectMacro> {
        if !self.filter.may_hold(word) {
            return None;
        }
        match self.own.get(word) {
            Some(own) => own.as_ref(),
            None => self.project.words.get(word),
        }
    }

    fn is_known(&self, word: &str) -> bool {
        is_specifier(word)
            || builtin_qualifier(word.as_bytes()).is_some()
            || self.find(word.as_bytes()).is_some()
    }

    fn expand(&self, words: &[String]) -> Vec<String> {
        words
            .iter()
            .flat_map(|word| {
                self.find(word.as_bytes())
                    .map_or(vec![word.clone()], ProjectMacro::words)
            })
            .collect()
    }
}

/// What a project macro leaves behind.
#[derive(Clone, Debug)]
struct ProjectMacro {
    qualifiers: Vec<Qualifier>,
    /// C++ specifiers among its words; written where they fit.
    specifiers: String,
    /// It takes arguments.
    called: bool,
    /// It holds no word at all.
    empty: bool,
    /// Who says so.
    reach: Reach,
}

/// Where a macro's definition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// This file.
    Own,
    /// Other files, and they agree.
    Project,
    /// Other files, and some of them mean something else.
    Conflicting,
}

impl ProjectMacro {
    fn new<'w>(words: impl Iterator<Item = &'w str>, reach: Reach) -> Self {
        let mut project = ProjectMacro {
            qualifiers: Vec::new(),
            specifiers: String::new(),
            called: false,
            empty: true,
            reach,
        };
        for word in words {
            if word == CALLED {
                project.called = true;
                continue;
            }
            project.empty = false;
            if is_specifier(word) {
                project
                    .specifiers
                    .push_str(if project.specifiers.is_empty() { "" } else { " " });
                project.specifiers.push_str(word);
            } else if let Some((qualifier, _)) = builtin_qualifier(word.as_bytes()) {
                project.qualifiers.push(qualifier);
            }
        }
        project
    }

    /// A macro that is empty in another file, or means two things, must stand where a specifier can: other files
    /// may use the name freely.
    fn applies(&self, previous: Option<Token>, next: Option<&Token>) -> bool {
        let before_word =
            next.is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Punct(b'~' | b':' | b'[')));
        let after_parameters = previous.is_some_and(|previous| previous.is(b')'));
        let statement = self.called && next.is_none_or(|next| next.is(b';') || next.is(b'}'));
        match self.reach {
            Reach::Own => true,
            Reach::Project => !self.empty || before_word || after_parameters || statement,
            Reach::Conflicting => next.is_some_and(|next| next.kind == Kind::Word),
        }
    }

    fn words(&self) -> Vec<String> {
        let qualifiers = self.qualifiers.iter().map(|qualifier| {
            let word = match qualifier {
                Qualifier::Global => "__global__",
                Qualifier::Device => "__device__",
                Qualifier::Host => "__host__",
                Qualifier::Shared => "__shared__",
                Qualifier::Constant => "__constant__",
                Qualifier::Managed => "__managed__",
                Qualifier::LaunchBounds => "__launch_bounds__",
                Qualifier::Other => "__forceinline__",
            };
            word.to_owned()
        });
        qualifiers
            .chain(self.specifiers.split_ascii_whitespace().map(str::to_owned))
            .collect()
    }
}

/// A small set of hashes that spares most words the map.
#[derive(Clone, Debug)]
struct Filter {
    bits: [u64; 64],
}

impl Default for Filter {
    fn default() -> Self {
        Filter { bits: [0; 64] }
    }
}

impl Filter {
    fn add(&mut self, word: &[u8]) {
        let slot = Self::slot(word);
        self.bits[slot / 64] |= 1 << (slot % 64);
    }

    fn may_hold(&self, word: &[u8]) -> bool {
        let slot = Self::slot(word);
        self.bits[slot / 64] & (1 << (slot % 64)) != 0
    }

    fn slot(word: &[u8]) -> usize {
        let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
        let last = usize::from(word.last().copied().unwrap_or(0));
        (byte(0) ^ (byte(1) << 3) ^ (last << 5) ^ (byte(word.len() / 2) << 2) ^ (word.len() << 6)) & 4095
    }
}
