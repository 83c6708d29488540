//! Files without a word of CUDA that others include: a thread pool, a queue, a scope guard. What runs when, and on
//! which thread, is often decided there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::discover::SourceFile;

/// More of them than this are a library of their own.
const MAX_FILES: usize = 256;

/// Larger files are no helpers.
pub(super) const MAX_BYTES: usize = 256 << 10;

/// Endings of files that hold what a header of the same name declares.
const SOURCES: [&str; 5] = ["cpp", "cc", "cxx", "c", "cu"];

/// The dismissed files that these files include, directly or by way of files that are read anyway, with the sources that
/// belong to included headers.
pub(super) fn find(
    files: &[SourceFile],
    dismissed: &[usize],
    read: &BTreeMap<usize, Arc<[u8]>>,
    included_by: Vec<(usize, Arc<[u8]>)>,
    load: impl Fn(&SourceFile) -> Option<Arc<[u8]>>,
) -> Vec<(usize, Arc<[u8]>)> {
    let by_name = by_name(files, dismissed.iter().chain(read.keys()));
    let mut seen: BTreeSet<usize> = included_by.iter().map(|(file, _)| *file).collect();
    let mut found: Vec<(usize, Arc<[u8]>)> = Vec::new();
    let mut open = included_by;
    while let Some((file, bytes)) = open.pop() {
        let shown = &files[file].shown;
        let included = includes(&bytes).filter_map(|path| meant(files, &by_name, shown, path));
        let own = sources_of(files, &by_name, shown);
        let wanted: Vec<usize> = included.chain(own).collect();
        for next in wanted {
            if found.len() >= MAX_FILES || !seen.insert(next) {
                continue;
            }
            if let Some(bytes) = read.get(&next) {
                open.push((next, Arc::clone(bytes)));
                continue;
            }
            if let Some(bytes) = load(&files[next]).filter(|it| it.len() <= MAX_BYTES) {
                found.push((next, Arc::clone(&bytes)));
                open.push((next, bytes));
            }
        }
    }
    found.sort_by_key(|(file, _)| *file);
    found
}

/// Files by their names, whatever directories they are in.
fn by_name<'a>(
    files: &'a [SourceFile],
    these: impl IntoIterator<Item = &'a usize>,
) -> BTreeMap<&'a str, Vec<usize>> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for file in these {
        let (_, name) = split(&files[*file].shown);
        by_name.entry(name).or_default().push(*file);
    }
    by_name
}

/// The dismissed headers that bear the names of sources that include them: what they declare, and say of it, belongs to those.
pub(super) fn own_headers(
    files: &[SourceFile],
    dismissed: &[usize],
    read: &BTreeMap<usize, Arc<[u8]>>,
) -> BTreeSet<usize> {
    let by_name = by_name(files, dismissed);
    let stem = |path: &str| split(path).1.rsplit_once('.').map(|it| it.0.to_owned());
    let mut found = BTreeSet::new();
    for (file, bytes) in read {
        let shown = &files[*file].shown;
        let own = stem(shown);
        let included = includes(bytes).filter(|it| stem(it) == own);
        found.extend(included.filter_map(|it| meant(files, &by_name, shown, it)));
    }
    found
}

/// Whether a file may define a function whose name is meant: behind the name stand parameters and a body.
pub(super) fn defines(bytes: &[u8], is_meant: impl Fn(&[u8]) -> bool) -> bool {
    // `const noexcept -> T`, or the initialisers of a constructor.
    let ends = |it: &&u8| matches!(**it, b'{' | b';' | b'}' | b',' | b')' | b'=' | b'"');
    let has_body = |_: &[u8], behind: &[u8]| behind.iter().take(MOST_BETWEEN).find(ends) == Some(&b'{');
    has_call(bytes, is_meant, has_body)
}

/// Whether a file may declare a function whose name is meant, with parameters of which something holds.
pub(super) fn declares(
    bytes: &[u8],
    is_meant: impl Fn(&[u8]) -> bool,
    holds: impl Fn(&[u8]) -> bool,
) -> bool {
    let says = |inside: &[u8], behind: &[u8]| {
        let ends = |it: &&u8| matches!(**it, b'{' | b';' | b'}' | b',' | b')' | b'"');
        matches!(behind.iter().take(MOST_BETWEEN).find(ends), Some(b';' | b'{')) && holds(inside)
    };
    has_call(bytes, is_meant, says)
}

/// What stands between parentheses and behind them is looked at no further than this.
const MOST_BETWEEN: usize = 4096;

/// Whether behind a name that is meant stand parentheses, with an inside and something behind them of which something holds.
fn has_call(bytes: &[u8], is_meant: impl Fn(&[u8]) -> bool, holds: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
    memchr::memchr_iter(b'(', bytes).any(|open| {
        let end = open
            - bytes[..open]
                .iter()
                .rev()
                .take_while(|it| it.is_ascii_whitespace())
                .count();
        let start = end - bytes[..end].iter().rev().take_while(|it| is_word(it)).count();
        if !is_meant(&bytes[start..end]) {
            return false;
        }
        let length = inside_of(&bytes[open..]);
        let behind = bytes.get(open + length + 1..).unwrap_or_default();
        holds(&bytes[open..open + length], behind)
    })
}

/// How many bytes stand before the parenthesis that closes the first one.
fn inside_of(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let inside = bytes.iter().take(MOST_BETWEEN).take_while(|it| {
        match it {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    inside.count()
}

/// The paths of all include directives, as written.
pub(super) fn includes(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let directives = memchr::memmem::find_iter(bytes, b"include").filter_map(|at| {
        let before = bytes[..at].iter().rev().find(|it| !matches!(it, b' ' | b'\t'));
        let rest = bytes.get(at + "include".len()..)?;
        let open = rest.iter().position(|it| !matches!(it, b' ' | b'\t'))?;
        let close = match rest[open] {
            b'"' => b'"',
            b'<' => b'>',
            _ => return None,
        };
        let length = rest[open + 1..].iter().take(256).position(|it| *it == close)?;
        (before == Some(&b'#')).then(|| &rest[open + 1..open + 1 + length])
    });
    directives.filter_map(|path| std::str::from_utf8(path).ok())
}

/// The file an include directive means: next to the includer, else the only one its path fits.
pub(super) fn meant(
    files: &[SourceFile],
    by_name: &BTreeMap<&str, Vec<usize>>,
    from: &str,
    path: &str,
) -> Option<usize> {
    let written = path.trim_start_matches("./").trim_start_matches("../");
    let candidates = by_name.get(split(written).1)?;
    let fits = |file: &&usize| {
        let shown = &*files[**file].shown;
        let rest = shown.strip_suffix(written);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let (directory, _) = split(from);
    let fitting: Vec<usize> = candidates.iter().filter(fits).copied().collect();
    let beside = |file: &&usize| {
        let rest = files[**file].shown.strip_prefix(directory);
        rest.is_some_and(|rest| rest.trim_start_matches('/') == written)
    };
    match fitting.as_slice() {
        [only] => Some(*only),
        several => several.iter().find(beside).copied(),
    }
}

/// Sources beside a header that bear its name.
fn sources_of(files: &[SourceFile], by_name: &BTreeMap<&str, Vec<usize>>, header: &str) -> Vec<usize> {
    let (directory, name) = split(header);
    let Some((stem, _)) = name.rsplit_once('.').filter(|(_, it)| !SOURCES.contains(it)) else {
        return Vec::new();
    };
    let named = SOURCES.iter().map(|it| format!("{stem}.{it}"));
    let all = named.filter_map(|it| by_name.get(it.as_str())).flatten();
    all.filter(|file| split(&files[**file].shown).0 == directory)
        .copied()
        .collect()
}

/// Directory and name of a path.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
