//! Bytes to facts, until `facts::extract` lands.

use crate::facts::{FileFacts, lower};
use crate::syntax::{self, Defines, MacroTable};

pub fn extract(bytes: &[u8], defines: &Defines, table: &MacroTable) -> FileFacts {
    let prepared = syntax::prepare(bytes, defines, table);
    match syntax::parse(&prepared.text) {
        Some(tree) => lower::lower(bytes, &prepared, &tree),
        None => FileFacts::default(),
    }
}
