//! Text to trees.

use std::cell::RefCell;

use tree_sitter::{Node, Parser, Tree};

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(cpp_parser());
}

/// Parses prepared text; `None` only when the grammar does not load or the text is too long for it.
pub fn parse(text: &[u8]) -> Option<Tree> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    PARSER.with_borrow_mut(|parser| parser.as_mut()?.parse(text, None))
}

/// Bytes under the outermost `ERROR` nodes.
pub fn error_bytes(tree: &Tree) -> u64 {
    let mut total = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            total += length(node);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return total;
            }
        }
    }
}

fn cpp_parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    Some(parser)
}

fn length(node: Node<'_>) -> u64 {
    (node.end_byte() - node.start_byte()) as u64
}
