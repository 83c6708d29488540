//! Bytes to facts, in the configurations a run would read them in.

use cudalint::facts::{FileFacts, extract, extract_with_flips};
use cudalint::syntax::{Defines, MacroTable, Prepared, collect_macros, prepare};

/// Flipped configurations of one file that are tried.
const FLIPS: usize = 4;

/// Reads the bytes as one source file.
pub fn run(bytes: &[u8]) {
    let mut table = MacroTable::default();
    table.merge(collect_macros(bytes));
    for defines in configurations() {
        check_prepared(&prepare(bytes, &defines, &table), bytes);
        let (facts, flips) = extract_with_flips(bytes, &defines, &table);
        check_facts(&facts, bytes);
        assert!(
            same(&facts, &extract(bytes, &defines, &table)),
            "facts differ between two readings"
        );
        for flip in flips.into_iter().take(FLIPS) {
            let mut flipped = defines.clone();
            flipped.values.insert(flip.name, flip.value);
            check_facts(&extract(bytes, &flipped, &table), bytes);
        }
    }
}

/// nvcc today, an old nvcc with per-thread default streams, and the host compiler alone.
fn configurations() -> [Defines; 3] {
    let today = Defines::for_cuda(13_000);
    let mut old = Defines::for_cuda(11_040);
    for name in ["CUDA_API_PER_THREAD_DEFAULT_STREAM", "NDEBUG"] {
        old.values.insert(name.to_owned(), Some("1".to_owned()));
    }
    let mut host = today.clone();
    host.values
        .retain(|name, _| !["__CUDACC__", "__NVCC__", "__CUDA__"].contains(&name.as_str()));
    [today, old, host]
}

/// Whether two readings agree; not by `==`, for which a literal that is no number is unlike itself.
fn same(one: &FileFacts, other: &FileFacts) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}

/// The text that is parsed has the offsets of the file.
fn check_prepared(prepared: &Prepared, bytes: &[u8]) {
    assert_eq!(prepared.text.len(), bytes.len(), "the mask moved offsets");
    for launch in &prepared.launches {
        assert!(launch.open < launch.close, "{launch:?}");
        assert_eq!(prepared.text[launch.open as usize], b'(', "{launch:?}");
        assert_eq!(prepared.text[launch.close as usize], b')', "{launch:?}");
    }
    let spans = prepared.qualifiers.iter().map(|it| it.span);
    let spans = spans.chain(prepared.macros.iter().flat_map(|it| [it.name_span, it.body]));
    let spans = spans.chain(prepared.pragmas.iter().copied());
    let spans = spans.chain(prepared.tests.iter().chain(&prepared.instantiations).copied());
    for span in spans.chain(prepared.marked_comments.iter().copied()) {
        assert!(
            bytes.get(span.start as usize..span.end as usize).is_some(),
            "{span:?}"
        );
    }
}

/// Everything that has a place has it inside the file.
pub fn check_facts(facts: &FileFacts, bytes: &[u8]) {
    let spans = facts.functions.iter().flat_map(|it| [it.span, it.name_span]);
    let spans = spans.chain(facts.globals.iter().map(|it| it.variable.span));
    let spans = spans.chain(facts.constants.iter().map(|(_, it)| it.span));
    for span in spans.chain(facts.marked_comments.iter().map(|(span, _)| *span)) {
        assert!(
            bytes.get(span.start as usize..span.end as usize).is_some(),
            "{span:?}"
        );
    }
    let quality = &facts.quality;
    assert_eq!(quality.bytes, bytes.len() as u64);
    assert!(quality.error_bytes <= quality.bytes, "{quality:?}");
    assert!(quality.launches_recovered <= quality.launches_seen, "{quality:?}");
}
