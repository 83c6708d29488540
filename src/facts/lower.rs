//! Trees to facts: the tree of the masked text becomes the statement and expression language of [`ir`](super::ir).
//!
//! Lowering never fails and never recurses deeper than [`MAX_DEPTH`]: what it does not understand becomes
//! [`ExprKind::Opaque`](super::ir::ExprKind::Opaque), what is nested too deep is dropped.

mod calls;
mod class;
mod declarations;
mod declarators;
mod enums;
mod expressions;
mod functions;
mod instantiations;
mod items;
mod kind;
mod lambdas;
mod literal;
mod loose;
mod macros;
mod names;
mod operators;
mod statements;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree, TreeCursor};

use self::kind::{Field, Kind};
use super::ir::Span;
use super::{FileFacts, Include, Quality};
use crate::syntax::{Prepared, Qualifier, error_bytes};

/// How deep statements and expressions may nest, together, before they are dropped.
const MAX_DEPTH: u32 = 150;

/// The facts of one file from its bytes, their masked text and that text's tree.
pub fn lower(original: &[u8], prepared: &Prepared, tree: &Tree) -> FileFacts {
    let mut lowering = Lowering::new(original, prepared, tree, Origin::default());
    lowering.items(tree.root_node());
    let launches_recovered = lowering.launches;
    let mut facts = lowering.facts;
    macros::lower_macros(original, &prepared.macros, &mut facts);
    facts
        .instantiations
        .extend(instantiations::written(original, &prepared.instantiations));
    facts.functions.sort_by_key(|function| function.span);
    facts.includes = prepared
        .includes
        .iter()
        .map(|(path, system)| Include {
            path: path.clone(),
            system: *system,
        })
        .collect();
    facts.marked_comments = prepared
        .marked_comments
        .iter()
        .map(|&span| (span, text_of(original, span)))
        .collect();
    facts.quality = Quality {
        bytes: original.len() as u64,
        error_bytes: error_bytes(tree),
        launches_seen: u32::try_from(prepared.launches.len()).unwrap_or(u32::MAX),
        launches_recovered,
    };
    facts
}

/// Where a parsed text stands in the file: offset `prefix` of the text is offset `start` of the file.
#[derive(Clone, Copy, Default)]
struct Origin {
    prefix: u32,
    start: u32,
}

/// The namespaces and classes around a declaration.
#[derive(Default)]
struct Scope {
    /// Names of the enclosing namespaces, then classes.
    path: Vec<String>,
    /// How many of them are namespaces.
    namespaces: usize,
    /// Number of enclosing anonymous namespaces.
    anonymous: u32,
}

/// One walk over one tree.
struct Lowering<'tree> {
    text: &'tree [u8],
    original: &'tree [u8],
    prepared: &'tree Prepared,
    origin: Origin,
    /// Reused by [`Lowering::children`]; between calls it points nowhere in particular.
    cursor: TreeCursor<'tree>,
    scope: Scope,
    /// Namespace paths opened so far.
    namespaces: BTreeSet<Vec<String>>,
    /// Names that stand for types: template parameters, classes and aliases seen so far.
    types: BTreeSet<String>,
    /// Names of variables at namespace scope seen so far.
    variables: BTreeSet<String>,
    /// OpenMP directives by offset: their line, and the text after `omp`.
    directives: Vec<(Span, String)>,
    depth: u32,
    launches: u32,
    /// Labels of the `switch` that is read which stand inside other statements of it.
    inner_labels: u32,
    facts: FileFacts,
}

/// A child that is neither a comment nor something the parser invented.
#[derive(Clone, Copy)]
struct Child<'tree> {
    node: Node<'tree>,
    kind: Kind,
    field: Field,
}

impl<'tree> Lowering<'tree> {
    fn new(original: &'tree [u8], prepared: &'tree Prepared, tree: &'tree Tree, origin: Origin) -> Self {
        Lowering {
            text: &prepared.text,
            original,
            prepared,
            origin,
            cursor: tree.walk(),
            scope: Scope::default(),
            namespaces: BTreeSet::new(),
            types: BTreeSet::new(),
            variables: BTreeSet::new(),
            directives: openmp_directives(original, prepared),
            depth: 0,
            launches: 0,
            inner_labels: 0,
            facts: FileFacts::default(),
        }
    }

    /// The named children of a node, comments left out.
    fn children(&mut self, node: Node<'tree>) -> Vec<Child<'tree>> {
        self.collect_children(node, false)
    }

    /// All children of a node with their punctuation, comments left out.
    fn children_and_tokens(&mut self, node: Node<'tree>) -> Vec<Child<'tree>> {
        self.collect_children(node, true)
    }

    fn collect_children(&mut self, node: Node<'tree>, tokens: bool) -> Vec<Child<'tree>> {
        let mut children = Vec::new();
        self.cursor.reset(node);
        if !self.cursor.goto_first_child() {
            return children;
        }
        loop {
            let child = self.cursor.node();
            let kind = kind::kind(child);
            let wanted = match kind {
                Kind::Comment => false,
                Kind::Token => tokens,
                _ => !child.is_missing(),
            };
            if wanted {
                let field = self
                    .cursor
                    .field_id()
                    .map_or(Field::None, |id| kind::field_of_id(id.get()));
                children.push(Child {
                    node: child,
                    kind,
                    field,
                });
            }
            if !self.cursor.goto_next_sibling() {
                return children;
            }
        }
    }

    /// Runs `inside` one level deeper, or not at all when that is too deep.
    fn nested<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> Option<R> {
        self.nested_by(1, inside)
    }

    /// Runs `inside` some levels deeper, or not at all when that is too deep.
    fn nested_by<R>(&mut self, levels: u32, inside: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let depth = self.depth;
        if depth.saturating_add(levels) > MAX_DEPTH {
            return None;
        }
        self.depth += levels;
        let result = inside(self);
        self.depth = depth;
        Some(result)
    }

    fn span(&self, node: Node<'_>) -> Span {
        Span {
            start: self.offset(node.start_byte()),
            end: self.offset(node.end_byte()),
        }
    }

    fn offset(&self, offset: usize) -> u32 {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        offset
            .saturating_sub(self.origin.prefix)
            .saturating_add(self.origin.start)
    }

    fn bytes(&self, node: Node<'_>) -> &'tree [u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn string(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.bytes(node)).into_owned()
    }

    /// The text of a node with every run of white space as one blank.
    fn normalised(&self, node: Node<'_>) -> String {
        let bytes = self.bytes(node);
        let text = String::from_utf8_lossy(bytes);
        // Most are single words.
        if bytes.iter().all(u8::is_ascii_graphic) {
            return text.into_owned();
        }
        let mut normalised = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            if !normalised.is_empty() {
                normalised.push(' ');
            }
            normalised.push_str(word);
        }
        normalised
    }

    /// The qualifiers that were blanked between two offsets of the text.
    fn qualifiers(&self, from: usize, to: usize) -> Qualifiers {
        let marks = &self.prepared.qualifiers;
        let first = marks.partition_point(|mark| (mark.span.start as usize) < from);
        let mut found = Qualifiers::default();
        for mark in marks[first..]
            .iter()
            .take_while(|mark| (mark.span.start as usize) < to)
        {
            found.start.get_or_insert(mark.span.start as usize);
            match mark.qualifier {
                Qualifier::Global => found.global = true,
                Qualifier::Device => found.device = true,
                Qualifier::Host => found.host = true,
                Qualifier::Shared => found.shared = true,
                Qualifier::Constant => found.constant = true,
                Qualifier::Managed => found.managed = true,
                Qualifier::LaunchBounds | Qualifier::Other => {}
            }
        }
        found
    }

    /// Whether the argument list that opens here is the configuration of a launch.
    fn is_launch(&self, open: usize) -> bool {
        let open = u32::try_from(open).unwrap_or(u32::MAX);
        self.prepared
            .launches
            .binary_search_by_key(&open, |mark| mark.open)
            .is_ok()
    }
}

/// The CUDA qualifiers of one declaration.
#[derive(Clone, Copy, Default)]
struct Qualifiers {
    /// Where the first of them stands.
    start: Option<usize>,
    global: bool,
    device: bool,
    host: bool,
    shared: bool,
    constant: bool,
    managed: bool,
}

fn text_of(original: &[u8], span: Span) -> String {
    let bytes = original
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

/// The OpenMP directives among a file's pragmas, continuation lines joined.
fn openmp_directives(original: &[u8], prepared: &Prepared) -> Vec<(Span, String)> {
    let directive = |&span: &Span| {
        let text = text_of(original, span).replace('\\', " ");
        let words: Vec<&str> = text
            .trim_start_matches([' ', '\t', '#'])
            .split_whitespace()
            .collect();
        match words.as_slice() {
            ["pragma", "omp", rest @ ..] => Some((span, rest.join(" "))),
            _ => None,
        }
    };
    prepared.pragmas.iter().filter_map(directive).collect()
}
