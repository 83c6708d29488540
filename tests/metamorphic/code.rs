//! A program as syntax trees over its original bytes, and what rewrites ask of it.

use std::collections::BTreeSet;
use std::ops::Range;

use cudalint::syntax::{self, Defines, MacroTable, Prepared, Qualifier};
use tree_sitter::{Node, Tree};

/// One file.
pub struct Unit {
    /// Its name.
    pub path: String,
    /// As written.
    pub bytes: Vec<u8>,
    /// What the mask made of it: launches parse, offsets are those of `bytes`.
    pub prepared: Prepared,
    /// The tree of the masked text.
    pub tree: Tree,
}

/// A program.
pub struct Code {
    /// Its files.
    pub units: Vec<Unit>,
}

/// A function with a body.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// Number of its file.
    pub unit: usize,
    /// The definition.
    pub node: Node<'a>,
    /// The definition with its template head, if it has one.
    pub outer: Node<'a>,
    /// The block.
    pub body: Node<'a>,
    /// Unqualified name.
    pub name: &'a str,
    /// Whether it runs on the host only.
    pub is_host: bool,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// The class it is defined in.
    pub class: Option<Node<'a>>,
}

impl Function<'_> {
    /// Whether it has a template head.
    pub fn is_template(&self) -> bool {
        self.outer.id() != self.node.id()
    }

    /// Whether it stands at the top of its file.
    pub fn is_at_top(&self) -> bool {
        self.outer
            .parent()
            .is_some_and(|it| it.kind() == "translation_unit")
    }
}

impl Code {
    /// Parses a program; `None` when the grammar is not there.
    pub fn parse(files: &[(String, Vec<u8>)]) -> Option<Self> {
        let mut table = MacroTable::default();
        for (_, bytes) in files {
            table.merge(syntax::collect_macros(bytes));
        }
        let defines = Defines::for_cuda(13_000);
        let mut units = Vec::new();
        for (path, bytes) in files {
            let prepared = syntax::prepare(bytes, &defines, &table);
            let tree = syntax::parse(&prepared.text)?;
            units.push(Unit {
                path: path.clone(),
                bytes: bytes.clone(),
                prepared,
                tree,
            });
        }
        Some(Code { units })
    }

    /// All functions with bodies, in order of files and offsets.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut found = Vec::new();
        for (number, unit) in self.units.iter().enumerate() {
            for node in descendants(unit.tree.root_node()) {
                found.extend(unit.function(number, node));
            }
        }
        found
    }

    /// The start of the innermost statement or declaration around an offset.
    pub fn statement_start(&self, file: usize, offset: usize) -> usize {
        let root = self.units[file].tree.root_node();
        let mut node = root.descendant_for_byte_range(offset, offset + 1);
        while let Some(it) = node {
            let kind = it.kind();
            let is_statement = (kind.ends_with("_statement") && kind != "compound_statement")
                || matches!(
                    kind,
                    "declaration" | "field_declaration" | "function_definition" | "for_range_loop"
                );
            if is_statement {
                return it.start_byte();
            }
            node = it.parent();
        }
        offset
    }

    /// Whether the program names a word anywhere, comments and strings included.
    pub fn mentions(&self, word: &str) -> bool {
        self.units
            .iter()
            .any(|unit| String::from_utf8_lossy(&unit.bytes).contains(word))
    }

    /// Names of the program's functions.
    pub fn function_names(&self) -> BTreeSet<&str> {
        self.functions().iter().map(|it| it.name).collect()
    }
}

impl Unit {
    /// The original bytes of a range, as text.
    pub fn slice(&self, range: Range<usize>) -> &str {
        std::str::from_utf8(&self.bytes[range]).unwrap_or("")
    }

    /// The original bytes of a node, as text.
    pub fn text(&self, node: Node<'_>) -> &str {
        self.slice(node.byte_range())
    }

    /// Whether a launch stands in a range.
    pub fn launches_in(&self, range: &Range<usize>) -> bool {
        self.prepared
            .launches
            .iter()
            .any(|it| range.contains(&(it.open as usize)))
    }

    /// Qualifiers in a range.
    pub fn qualifiers_in(&self, range: &Range<usize>) -> impl Iterator<Item = Qualifier> {
        self.prepared
            .qualifiers
            .iter()
            .filter(move |it| range.contains(&(it.span.start as usize)))
            .map(|it| it.qualifier)
    }

    /// Start of the qualifiers that stand before a node: the mask blanked them, so that the node starts behind them.
    pub fn start_with_qualifiers(&self, node: Node<'_>) -> usize {
        let before = &self.prepared.text[..node.start_byte()];
        let gap = before.len() - before.trim_ascii_end().len();
        let from = node.start_byte() - gap;
        self.prepared
            .qualifiers
            .iter()
            .map(|it| it.span.start as usize)
            .filter(|start| (from..node.start_byte()).contains(start))
            .min()
            .unwrap_or(node.start_byte())
    }

    /// Start of the line that holds an offset.
    pub fn line_start(&self, offset: usize) -> usize {
        self.bytes[..offset]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1)
    }

    /// Offset behind the last `#include` that stands outside conditionals and functions.
    pub fn after_includes(&self) -> Option<usize> {
        let mut depth = 0i32;
        let mut at = 0;
        let mut after = None;
        let end = self
            .tree
            .root_node()
            .named_children(&mut self.tree.walk())
            .find(|it| !it.kind().starts_with("preproc") && it.kind() != "comment")
            .map_or(self.bytes.len(), |it| it.start_byte());
        for line in self.bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = line.trim_ascii();
            if text.starts_with(b"#if") {
                depth += 1;
            } else if text.starts_with(b"#endif") {
                depth -= 1;
            } else if text.starts_with(b"#include") && depth <= 0 && at < end && !text.ends_with(b"\\") {
                after = Some(at + line.len());
            }
            at += line.len();
        }
        after
    }

    fn function<'a>(&'a self, number: usize, node: Node<'a>) -> Option<Function<'a>> {
        if node.kind() != "function_definition" {
            return None;
        }
        let body = node.child_by_field_name("body")?;
        if body.kind() != "compound_statement" || node.has_error() {
            return None;
        }
        let name = declared_name(node.child_by_field_name("declarator")?)?;
        let parent = node.parent()?;
        let outer = if parent.kind() == "template_declaration" {
            parent
        } else {
            node
        };
        let start = self.start_with_qualifiers(outer);
        let qualifiers: Vec<Qualifier> = self.qualifiers_in(&(start..body.start_byte())).collect();
        let is_kernel = qualifiers.contains(&Qualifier::Global);
        let list = outer.parent().filter(|it| it.kind() == "field_declaration_list");
        Some(Function {
            unit: number,
            node,
            outer,
            body,
            name: self.text(name),
            is_host: !is_kernel && !qualifiers.contains(&Qualifier::Device),
            is_kernel,
            class: list.and_then(|it| it.parent()),
        })
    }
}

/// All named nodes under a node, itself first.
pub fn descendants(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = vec![node];
    let mut at = 0;
    while at < found.len() {
        let node = found[at];
        found.splice(at + 1..at + 1, children(node));
        at += 1;
    }
    found
}

/// The named nodes directly under a node.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).collect()
}

/// The nodes around a node, innermost first.
pub fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), |it| it.parent())
}

/// The name inside a declarator: an identifier of some kind.
pub fn declared_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    loop {
        match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name" | "operator_name" => {
                return Some(node);
            }
            "qualified_identifier" => node = node.child_by_field_name("name")?,
            "template_function" | "template_type" => node = node.child_by_field_name("name")?,
            _ => {
                node = node.child_by_field_name("declarator").or_else(|| {
                    children(node)
                        .into_iter()
                        .find(|it| it.kind() == "identifier" || it.kind().ends_with("declarator"))
                })?;
            }
        }
    }
}

/// The declarators of a declaration, with their initialisers.
pub fn declarators(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    declaration
        .children_by_field_name("declarator", &mut cursor)
        .collect()
}

/// Whether one range lies inside another.
pub fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
