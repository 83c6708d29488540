//! Project macros that change how other files read: qualifier macros and statement macros.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use memchr::memmem;

use super::directives::read_define;
use super::lexer::{Kind, Token, lex_part, logical_line_end};
use super::qualifiers::ProjectWords;
use super::vocabulary::{Shape, builtin_qualifier, is_keyword};
use super::{LoopHead, MacroDefinition, MacroTable, Span};

/// Collects the macros of one file that matter to the mask of any file: not those it takes back, and none with the name of a keyword.
pub fn collect_macros(bytes: &[u8]) -> MacroTable {
    let mut table = MacroTable::default();
    let taken_back = undefined(bytes);
    for at in memmem::find_iter(bytes, b"define") {
        if starts_directive(bytes, at) {
            let start = at + b"define".len();
            let end = logical_line_end(bytes, start);
            if let Some(definition) = read_define(
                bytes,
                Span {
                    start: start as u32,
                    end: end as u32,
                },
            ) && !is_keyword(definition.name.as_bytes())
                && taken_back
                    .get(definition.name.as_bytes())
                    .is_none_or(|last| *last < at)
            {
                table.add(bytes, definition);
            }
        }
    }
    table
}

/// Names that a file undefines, and where it last does.
pub(crate) fn undefined(bytes: &[u8]) -> BTreeMap<&[u8], usize> {
    let mut found = BTreeMap::new();
    for at in memmem::find_iter(bytes, b"undef") {
        if starts_directive(bytes, at) {
            let rest = &bytes[at + b"undef".len()..];
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let blanks = rest.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
            let length = rest[blanks..].iter().take_while(|it| is_word(it)).count();
            if blanks > 0 && length > 0 {
                found.insert(&rest[blanks..blanks + length], at);
            }
        }
    }
    found
}

/// How many macros stand for one another.
const MOST_CHAINED: usize = 8;

impl MacroTable {
    /// Adds what another file defines.
    pub fn merge(&mut self, other: MacroTable) {
        self.resolved = Resolved::default();
        for (name, words) in other.qualifiers {
            add_words(&mut self.qualifiers, name, words);
        }
        for (name, words) in other.aliases {
            add_words(&mut self.aliases, name, words);
        }
        self.statements.extend(other.statements);
        for (name, head) in other.heads {
            self.add_head(name, head);
        }
        self.others.extend(other.others);
    }

    /// Whether some file defines a macro of this name.
    pub fn knows(&self, name: &str) -> bool {
        self.others.contains(name)
            || self.qualifiers.contains_key(name)
            || self.aliases.contains_key(name)
            || self.statements.contains_key(name)
    }

    /// The one word that a macro stands for beside qualifiers and attributes.
    pub(crate) fn name_behind<'a>(&'a self, macro_name: &'a str) -> Option<&'a str> {
        let mut words = Vec::new();
        self.words_behind(macro_name, 0, &mut words);
        match words.as_slice() {
            [name] if *name != macro_name && !self.others.contains(macro_name) => Some(name),
            _ => None,
        }
    }

    fn words_behind<'a>(&'a self, word: &'a str, depth: usize, found: &mut Vec<&'a str>) {
        match self.aliases.get(word).filter(|_| depth < MOST_CHAINED) {
            Some(words) => {
                for word in words.iter().filter(|it| !is_known_word(it)) {
                    self.words_behind(word, depth + 1, found);
                }
            }
            None if self.qualifiers.contains_key(word) => {}
            None => found.push(word),
        }
    }

    /// The qualifier macros, resolved when first asked for.
    pub(crate) fn resolved(&self) -> &ProjectWords {
        self.resolved.0.get_or_init(|| ProjectWords::new(self))
    }

    /// Macros that are only qualifiers, with their words, chains of macros resolved.
    pub(crate) fn effective(&self) -> Vec<Effective<'_>> {
        let direct = self.qualifiers.keys().chain(self.aliases.keys());
        let names: BTreeSet<&str> = direct.map(String::as_str).collect();
        let mut found = Vec::new();
        for name in names {
            let mut words = Vec::new();
            let mut conflicting = self.others.contains(name);
            let mut resolved = self.resolve(name, 0, &mut words);
            if !resolved && let Some(direct) = self.qualifiers.get(name) {
                words = direct.iter().map(String::as_str).collect();
                (resolved, conflicting) = (true, true);
            }
            let marks_functions = words
                .iter()
                .any(|word| builtin_qualifier(word.as_bytes()).is_some());
            if resolved && (!conflicting || marks_functions) {
                found.push(Effective {
                    name,
                    words,
                    conflicting,
                });
            }
        }
        found
    }

    fn add(&mut self, bytes: &[u8], definition: MacroDefinition) {
        let function_like = definition.params.is_some();
        match classify(bytes, &definition) {
            Meaning::Qualifiers { mut words, unknown } => {
                if function_like {
                    words.push(CALLED.to_owned());
                }
                let map = if unknown {
                    &mut self.aliases
                } else {
                    &mut self.qualifiers
                };
                add_words(map, definition.name, words);
            }
            Meaning::Statement => {
                self.statements.insert(definition.name.clone(), ());
                self.others.insert(definition.name);
            }
            Meaning::Head(head) => {
                self.add_head(definition.name.clone(), Some(head));
                self.others.insert(definition.name);
            }
            Meaning::Other => {
                self.others.insert(definition.name);
            }
        }
    }

    fn add_head(&mut self, name: String, head: Option<LoopHead>) {
        let known = self.heads.entry(name).or_insert_with(|| head.clone());
        if *known != head {
            *known = None;
        }
    }

    /// Macros whose use stands as a whole statement, chains resolved.
    pub(crate) fn statement_names(&self) -> impl Iterator<Item = &str> {
        let names = self.statements.keys().chain(self.aliases.keys());
        names
            .map(String::as_str)
            .filter(|name| self.names_statement(name, 0))
    }

    fn names_statement(&self, name: &str, depth: usize) -> bool {
        let first = self.aliases.get(name).and_then(|words| words.first());
        self.statements.contains_key(name)
            || (depth < MOST_CHAINED && first.is_some_and(|first| self.names_statement(first, depth + 1)))
    }

    fn resolve<'a>(&'a self, name: &str, depth: usize, words: &mut Vec<&'a str>) -> bool {
        if depth > MOST_CHAINED || words.len() > 64 || (depth > 0 && self.others.contains(name)) {
            return false;
        }
        let direct = self.qualifiers.get(name);
        let alias = self.aliases.get(name);
        words.extend(direct.into_iter().flatten().map(String::as_str));
        for word in alias.into_iter().flatten() {
            if is_known_word(word) {
                words.push(word);
            } else if !self.resolve(word, depth + 1, words) {
                return false;
            }
        }
        direct.is_some() || alias.is_some()
    }
}

/// A qualifier macro and what it stands for.
pub(crate) struct Effective<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its words.
    pub(crate) words: Vec<&'a str>,
    /// Some file defines it as something else.
    pub(crate) conflicting: bool,
}

/// The resolved form of a table: made at most once, equal to any other, forgotten when the table grows.
#[derive(Clone, Debug, Default)]
pub struct Resolved(OnceLock<ProjectWords>);

impl PartialEq for Resolved {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Resolved {}

/// The word that marks a function-like macro in [`MacroTable::qualifiers`].
pub(crate) const CALLED: &str = "()";

/// What a macro's body makes of it.
pub(crate) enum Meaning {
    /// Only qualifiers, attributes, namespace braces or nothing; `unknown` when other names are among the words.
    Qualifiers { words: Vec<String>, unknown: bool },
    /// Its use is a whole statement.
    Statement,
    /// It is the head of a loop.
    Head(LoopHead),
    /// Anything else.
    Other,
}

/// Classifies a macro by its body.
pub(crate) fn classify(bytes: &[u8], definition: &MacroDefinition) -> Meaning {
    let tokens = lex_part(bytes, definition.body).tokens;
    if let Some(words) = qualifier_words(bytes, &tokens) {
        let unknown = words.iter().any(|word| !is_known_word(word));
        let parameters_used = definition.params.is_some() && unknown;
        if !parameters_used {
            return Meaning::Qualifiers { words, unknown };
        }
    }
    if let Some(head) = loop_head(bytes, definition, &tokens) {
        return Meaning::Head(head);
    }
    let ends_statement = tokens.last().is_some_and(|last| last.is(b';') || last.is(b'}'));
    let is_initialiser = definition.params.is_none() && !holds_statement(&tokens);
    if ends_statement && !is_initialiser {
        Meaning::Statement
    } else {
        Meaning::Other
    }
}

/// `for` or `while`, and what stands in parentheses behind it, with arguments of its own.
fn loop_head(bytes: &[u8], definition: &MacroDefinition, tokens: &[Token]) -> Option<LoopHead> {
    let params = definition.params.as_ref().filter(|it| !it.is_empty())?;
    let keyword = tokens.first()?.text(bytes);
    let is_head = matches!(keyword, b"for" | b"while") && skip_group(tokens, 1, b'(', b')') == tokens.len();
    let is_plain = !params.iter().any(|it| it.ends_with("...")) && tokens.len() < GROUP_LIMIT;
    if !is_head || !is_plain || tokens.iter().any(|it| it.is(b'#')) {
        return None;
    }
    let words = tokens.iter().map(|it| String::from_utf8_lossy(it.text(bytes)));
    let text = bytes.get(definition.body.start as usize..definition.body.end as usize)?;
    let text = match memmem::find(text, b"\\").is_some() {
        true => words.collect::<Vec<_>>().join(" "),
        false => String::from_utf8_lossy(text).trim().to_owned(),
    };
    Some(LoopHead {
        params: params.clone(),
        text,
    })
}

/// An object-like macro with a `;` is code; without one it may be an initialiser: `{1, 2}`.
fn holds_statement(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is(b';'))
}

/// C++ specifiers (and the result type of kernels) that a qualifier macro may hold; they are written back where they fit.
pub(crate) fn is_specifier(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "inline"
            | "__forceinline"
            | "const"
            | "volatile"
            | "constexpr"
            | "extern"
            | "__inline__"
            | "__inline"
            | "void"
    )
}

fn is_known_word(word: &str) -> bool {
    word == CALLED || is_specifier(word) || builtin_qualifier(word.as_bytes()).is_some()
}

fn add_words(map: &mut BTreeMap<String, Vec<String>>, name: String, words: Vec<String>) {
    let known = map.entry(name).or_default();
    let mut seen: BTreeSet<String> = known.iter().cloned().collect();
    known.extend(words.into_iter().filter(|it| seen.insert(it.clone())));
}

/// The words of a body that is made of nothing but qualifier-like things.
fn qualifier_words(bytes: &[u8], tokens: &[Token]) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let word = token.text(bytes);
        at += 1;
        match token.kind {
            Kind::Word => match word {
                b"namespace" => at = namespace_end(tokens, at)?,
                b"alignas" | b"noexcept" | b"throw" | b"requires" => at = skip_group(tokens, at, b'(', b')'),
                b"extern" if tokens.get(at).is_some_and(|next| next.kind == Kind::Text) => {
                    at += 1;
                    at += usize::from(tokens.get(at).is_some_and(|next| next.is(b'{')));
                }
                _ => {
                    if builtin_qualifier(word).is_some_and(|(_, shape)| shape == Shape::Argument) {
                        at = skip_group(tokens, at, b'(', b')');
                    }
                    words.push(String::from_utf8_lossy(word).into_owned());
                }
            },
            Kind::Punct(b'}') => {}
            Kind::Punct(b'[') if tokens.get(at).is_some_and(|next| next.is(b'[')) => {
                at = Some(skip_group(tokens, at - 1, b'[', b']')).filter(|end| *end > at)?;
            }
            _ => return None,
        }
    }
    Some(words)
}

/// One past the `{` of `namespace a::b {`.
fn namespace_end(tokens: &[Token], from: usize) -> Option<usize> {
    let rest = tokens.get(from..)?;
    let length = rest
        .iter()
        .position(|token| token.kind != Kind::Word && !token.is(b':'))?;
    rest[length].is(b'{').then_some(from + length + 1)
}

/// One past the group that opens at `from`, or `from` when none does.
pub(crate) fn skip_group(tokens: &[Token], from: usize, open: u8, close: u8) -> usize {
    if !tokens.get(from).is_some_and(|token| token.is(open)) {
        return from;
    }
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(from).take(GROUP_LIMIT) {
        if token.is(open) {
            depth += 1;
        } else if token.is(close) {
            depth -= 1;
            if depth == 0 {
                return index + 1;
            }
        }
    }
    from
}

/// Qualifier arguments are short; the limit keeps unbalanced input linear.
const GROUP_LIMIT: usize = 512;

/// `true` when only `#` and blanks stand before `define` on its line.
fn starts_directive(bytes: &[u8], define: usize) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let before = &bytes[..define];
    let Some(hash) = before.iter().rposition(|byte| !blank(byte)) else {
        return false;
    };
    if bytes[hash] != b'#' {
        return false;
    }
    let line = bytes[..hash].iter().rposition(|byte| !blank(byte));
    line.is_none_or(|at| matches!(bytes[at], b'\n' | b'\r' | b'\xBF'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let table = collect_macros(source.as_bytes());
        table
            .effective()
            .iter()
            .map(|it| format!("{}: {}", it.name, it.words.join(" ")))
            .collect()
    }

    #[test]
    fn qualifier_macros_are_found_through_chains() {
        let source =
            "#define HD __host__ __device__\n#  define API HD inline\n#define F float\n#define G F\n";
        assert_eq!(
            names(source),
            ["API: __host__ __device__ inline", "HD: __host__ __device__"]
        );
    }

    #[test]
    fn namespaces_attributes_and_nothing_count() {
        let source = "#define OPEN [ [ x\n#define NS_BEGIN namespace a { inline namespace b::c {\n#define NS_END } }\n\
                      #define EXPORT __attribute__((visibility(\"default\")))\n#define NOTHING(x)\n";
        assert_eq!(
            names(source),
            [
                "EXPORT: __attribute__",
                "NOTHING: ()",
                "NS_BEGIN: inline",
                "NS_END: "
            ]
        );
    }

    #[test]
    fn a_macro_with_another_meaning_somewhere_is_left_alone() {
        let mut table = collect_macros(b"#define DEBUG_PRINT(x)\n#define DEVICE __device__\n");
        table.merge(collect_macros(
            b"#define DEBUG_PRINT(x) printf(x)\n#define DEVICE 0\n",
        ));
        let effective = table.effective();
        assert_eq!(effective.len(), 1);
        assert!(effective[0].conflicting);
    }

    #[test]
    fn what_a_file_takes_back_stays_in_it() {
        assert_eq!(
            names("#define HIDDEN\n#undef HIDDEN\n#undef SHOWN\n#define SHOWN\n#define return\n"),
            ["SHOWN: "]
        );
    }

    #[test]
    fn statement_macros_end_like_statements() {
        let table =
            collect_macros(b"#define CHECK(x) do { \\\n x; } while (0);\n#define ADD(a, b) ((a) + (b))\n");
        assert_eq!(table.statements.keys().collect::<Vec<_>>(), ["CHECK"]);
    }
}
