//! A fixed sample of programs rewritten without changing what they do: the rules say the same of them, known exceptions apart.
//!
//! `tests/metamorphic/known.txt` lists what is known not to stay. A variant that is lost and not listed fails, and so does one that
//! is listed and stays. `cargo bench --bench metamorphic -- --write-budget` writes the list anew.

#[expect(
    dead_code,
    reason = "what compares fixtures with their marks is for the fixtures' own test"
)]
mod harness;
#[expect(dead_code, reason = "what is counted is for the bench")]
#[path = "metamorphic/mod.rs"]
mod rewriter;

use std::collections::BTreeSet;
use std::path::Path;

use rewriter::change::{Change, Piece};
use rewriter::code::Code;
use rewriter::measure::Subject;
use rewriter::programs::programs;
use rewriter::rewrites::REWRITES;
use rewriter::sample;

#[test]
fn findings_stay_except_where_it_is_known() {
    let (broken, count) = sample::broken();
    assert!(count > 400, "the sample has {count} variants");
    let known = known();
    let mut wrong: Vec<String> = broken
        .iter()
        .filter(|(name, _)| !known.contains(name))
        .map(|((rewrite, program), what)| format!("{program} does not stay under {rewrite}:\n{what}"))
        .collect();
    let stale = known.iter().filter(|it| !broken.contains_key(it));
    wrong.extend(stale.map(|(rewrite, program)| {
        format!("{program} stays under {rewrite}, or is no longer in the sample: take it out of the list")
    }));
    assert!(
        wrong.is_empty(),
        "{} of {count} variants (`cargo bench --bench metamorphic -- --write-budget` lists them anew):\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// `tests/metamorphic_compile.sh` compiles them.
#[test]
fn a_variant_by_each_rewrite_is_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metamorphic");
    let _ = std::fs::remove_dir_all(&folder);
    let missing = write_one_of_each(&folder).expect("variants can be written");
    assert!(missing.is_empty(), "no fixture shows {missing:?}");
}

#[test]
fn rewrites_have_names_of_their_own_and_say_where_they_apply() {
    let names: BTreeSet<&str> = REWRITES.iter().map(|it| it.name).collect();
    assert_eq!(names.len(), REWRITES.len());
    assert!(REWRITES.iter().all(|it| !it.applies.is_empty()));
}

#[test]
fn a_place_in_a_variant_has_its_place_in_the_program() {
    let files = [("a.cu".to_owned(), b"int one;\nint two;\n".to_vec())];
    let code = Code::parse(&files).expect("the grammar is there");
    let mut change = Change::default();
    change.insert(0, 0, "/* new */ ");
    change.rename(0, 4..7, "first");
    change.replace(0, 9..17, vec![]);
    change.add("b.cuh", vec![Piece::Kept(0, 9..17)]);
    let variant = change.apply(&code);
    let texts: Vec<&str> = variant
        .files
        .iter()
        .map(|it| std::str::from_utf8(&it.1).expect("it is text"))
        .collect();
    assert_eq!(texts, ["/* new */ int first;\n\n", "int two;"]);
    assert_eq!(variant.origin("a.cu", 3), None);
    assert_eq!(variant.origin("a.cu", 10), Some((0, 0)));
    assert_eq!(variant.origin("a.cu", 16), Some((0, 4)));
    assert_eq!(variant.origin("a.cu", 19), Some((0, 7)));
    assert_eq!(variant.origin("b.cuh", 4), Some((0, 13)));
}

/// Writes one variant by each rewrite as a folder `DIR/<rewrite>/<program>`, for a compiler; returns those that no program gave.
fn write_one_of_each(folder: &Path) -> std::io::Result<Vec<&'static str>> {
    let mut all = programs(None);
    all.retain(|it| it.name.starts_with("fixtures/"));
    let mut missing = Vec::new();
    for rewrite in REWRITES {
        all.sort_by_key(|it| sample::rank(rewrite, &it.name));
        let found = all.iter().find_map(|it| {
            let subject = Subject::new(it.clone())?;
            let variant = subject.variant(rewrite, sample::SEED, 0)?;
            Some((it.name.replace(['/', '.'], "_"), variant))
        });
        match found {
            Some((name, variant)) => variant.write(&folder.join(rewrite.name).join(name))?,
            None => missing.push(rewrite.name),
        }
    }
    Ok(missing)
}

/// What the budget lists.
fn known() -> BTreeSet<sample::Name> {
    let text = std::fs::read_to_string(sample::budget_path()).unwrap_or_default();
    text.lines()
        .filter(|it| !it.starts_with('#'))
        .filter_map(|it| it.split_once(' '))
        .map(|(rewrite, program)| (rewrite.to_owned(), program.to_owned()))
        .collect()
}
