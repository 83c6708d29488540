//! What the text says that a time is the time of.

use crate::program::Program;
use crate::trace::Trace;
use crate::trace::notes::Region;

/// Whether the time of a region is printed with one of these words: what it is called in one place it is in all others.
pub(super) fn is_said(trace: &Trace, region: &Region, words: &[&str]) -> bool {
    trace.shown(region).any(|it| says(&it.text, words))
}

/// Whether it goes by one of them where it is taken: in the name of what it is kept in, there or where it is returned to, or in
/// what a timer that lasts as long as its scope is made with.
pub(super) fn is_named(program: &Program, region: &Region, words: &[&str]) -> bool {
    let (start, _) = region.places();
    let returned_to = super::shared_path(region).len().saturating_sub(1);
    let stops = region.stop.site.path().into_iter().skip(returned_to);
    let kept = stops.filter_map(|it| program.kept_in(it));
    kept.chain(program.made_with(start)).any(|it| says(&it, words))
}

/// Whether one of the words is in a text, by itself or in a name: `launch_ms`, `coldTime`.
fn says(text: &str, words: &[&str]) -> bool {
    let mut word = String::new();
    let mut found = false;
    let mut was_lower = false;
    for it in text.chars().chain([' ']) {
        if !it.is_alphanumeric() || it.is_uppercase() && was_lower {
            found |= words.contains(&word.as_str());
            word.clear();
        }
        if it.is_alphanumeric() {
            word.extend(it.to_lowercase());
        }
        was_lower = it.is_lowercase();
    }
    found
}
