//! What the text says that a time is printed with.

use crate::trace::Trace;
use crate::trace::notes::Region;

/// Whether the time of a region is printed with one of these words: what it is called in one place it is in all others.
pub(super) fn is_said(trace: &Trace, region: &Region, words: &[&str]) -> bool {
    let says = |text: &str| {
        text.split(|it: char| !it.is_alphanumeric())
            .any(|it| words.contains(&it.to_lowercase().as_str()))
    };
    trace.shown(region).any(|it| says(&it.text))
}
