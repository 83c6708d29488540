//! Which names mean something where.

use super::{FileId, FunctionId, Program};

impl Program {
    /// Whether a function is declared before an offset of a file, there or in what the file includes.
    pub fn is_visible_at(&self, id: FunctionId, file: FileId, offset: u32) -> bool {
        let wanted = self.definition(id);
        self.names.visible[file.0 as usize].iter().any(|other| {
            let functions = self.source(*other).facts.functions.iter();
            functions
                .filter(|it| it.path == wanted.path && it.target == wanted.target)
                .any(|it| *other != file || it.name_span.end <= offset)
        })
    }

    /// Whether several kernels share a name, so that the name alone does not say which one is meant.
    pub fn is_overloaded(&self, id: FunctionId) -> bool {
        let wanted = self.definition(id);
        self.functions().any(|(_, it)| {
            it.path == wanted.path && it.target == wanted.target && it.params.len() != wanted.params.len()
        })
    }
}
