//! Macros that a file tests and that the headers it includes define.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::companions::{includes, meant, split};
use super::discover::SourceFile;
use crate::syntax::{self, Defines, MacroTable};

/// Headers looked at for one file.
const MOST_HEADERS: usize = 96;

/// The files of a project by their names.
pub(super) struct Headers<'a> {
    files: &'a [SourceFile],
    by_name: BTreeMap<&'a str, Vec<usize>>,
    load: &'a (dyn Fn(&SourceFile) -> Option<Arc<[u8]>> + Sync),
    /// What was read before.
    read: Mutex<BTreeMap<usize, Option<Arc<[u8]>>>>,
}

impl<'a> Headers<'a> {
    pub(super) fn new(
        files: &'a [SourceFile],
        load: &'a (dyn Fn(&SourceFile) -> Option<Arc<[u8]>> + Sync),
    ) -> Self {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            by_name.entry(split(&file.shown).1).or_default().push(index);
        }
        Headers {
            files,
            by_name,
            load,
            read: Mutex::new(BTreeMap::new()),
        }
    }

    fn bytes(&self, file: usize) -> Option<Arc<[u8]>> {
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&file) {
            return known.clone();
        }
        let bytes = (self.load)(&self.files[file]);
        lock().insert(file, bytes.clone());
        bytes
    }

    /// What the headers a file includes define some names as, the nearest header first.
    pub(super) fn definitions(
        &self,
        file: usize,
        bytes: &Arc<[u8]>,
        names: &BTreeSet<String>,
        defines: &Defines,
    ) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::from([file]);
        let mut open = vec![(file, Arc::clone(bytes))];
        let mut next = 0;
        while let Some((includer, bytes)) = open.get(next).cloned() {
            next += 1;
            for path in includes(&bytes) {
                let shown = &self.files[includer].shown;
                let Some(header) = meant(self.files, &self.by_name, shown, path) else {
                    continue;
                };
                if open.len() > MOST_HEADERS || !seen.insert(header) {
                    continue;
                }
                let Some(bytes) = self.bytes(header) else {
                    continue;
                };
                for (name, value) in defined_in(&bytes, names, defines) {
                    found.entry(name).or_insert(value);
                }
                open.push((header, bytes));
            }
        }
        found
    }
}

/// Which of some names a header defines, in its active regions, without parameters.
fn defined_in(bytes: &[u8], names: &BTreeSet<String>, defines: &Defines) -> Vec<(String, String)> {
    let mentions = |name: &String| memchr::memmem::find(bytes, name.as_bytes()).is_some();
    if !names.iter().any(mentions) {
        return Vec::new();
    }
    let prepared = syntax::prepare(bytes, defines, &MacroTable::default());
    let plain = prepared.macros.iter().filter(|it| it.params.is_none());
    let wanted = plain.filter(|it| names.contains(&it.name));
    let value = |span: syntax::Span| {
        let body = &bytes[span.start as usize..span.end as usize];
        String::from_utf8_lossy(body).trim().to_owned()
    };
    wanted.map(|it| (it.name.clone(), value(it.body))).collect()
}
