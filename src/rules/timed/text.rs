//! What the text says that a time is printed with.

use crate::trace::Trace;
use crate::trace::notes::Region;

/// Whether the time of a region is printed, and every time with one of these words.
pub(super) fn is_said(trace: &Trace, region: &Region, words: &[&str]) -> bool {
    let says = |text: &str| {
        text.split(|it: char| !it.is_alphanumeric())
            .any(|it| words.contains(&it.to_lowercase().as_str()))
    };
    let mut texts = trace.shown(region).map(|it| it.text.as_str()).peekable();
    texts.peek().is_some() && texts.all(says)
}
