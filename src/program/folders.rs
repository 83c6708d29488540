//! Which files of a project can belong to one program, by where they lie: nearer definitions win, and two folders with
//! a `main` each are two programs unless one includes the other.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::is_main;
use super::{FileId, SourceUnit};

/// The folders of a project.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// The folder each file lies in.
    of: Vec<u32>,
    /// The folder around each; the root is its own.
    around: Vec<u32>,
    depth: Vec<u32>,
    /// A file in it defines `main`.
    has_main: Vec<bool>,
    /// Folders that the files of a folder include something from.
    included: BTreeSet<(u32, u32)>,
}

impl Folders {
    pub(super) fn new(units: &[SourceUnit], visible: &[Vec<FileId>]) -> Self {
        let mut it = Folders {
            around: vec![0],
            depth: vec![0],
            has_main: vec![false],
            ..Folders::default()
        };
        let mut known: BTreeMap<(u32, &str), u32> = BTreeMap::new();
        for unit in units {
            let mut folder = 0;
            for part in unit.folder().split('/').filter(|part| !matches!(*part, "" | ".")) {
                folder = *known.entry((folder, part)).or_insert_with(|| {
                    it.around.push(folder);
                    it.depth.push(it.depth[folder as usize] + 1);
                    it.has_main.push(false);
                    it.around.len() as u32 - 1
                });
            }
            it.of.push(folder);
            it.has_main[folder as usize] |= unit.facts.functions.iter().any(is_main);
        }
        for (from, files) in visible.iter().enumerate() {
            let from = it.of[from];
            let others = files.iter().map(|file| it.of[file.0 as usize]);
            it.included
                .extend(others.filter(|to| *to != from).map(|to| (from, to)));
        }
        it
    }

    /// How many folders up from one file the nearest folder is that holds the other too; `None` when they belong to different programs.
    pub(super) fn climbs(&self, from: FileId, to: FileId) -> Option<u32> {
        let (mine, theirs) = (self.of[from.0 as usize], self.of[to.0 as usize]);
        if mine == theirs {
            return Some(0);
        }
        let both_start = self.has_main[mine as usize] && self.has_main[theirs as usize];
        if both_start && !self.included.contains(&(mine, theirs)) && !self.included.contains(&(theirs, mine))
        {
            return None;
        }
        let (mut a, mut b) = (mine, theirs);
        let up = |it: u32| self.around[it as usize];
        let depth = |it: u32| self.depth[it as usize];
        while depth(b) > depth(a) {
            b = up(b);
        }
        while a != b {
            if depth(a) == depth(b) {
                b = up(b);
            }
            a = up(a);
        }
        Some(depth(mine) - depth(a))
    }
}
