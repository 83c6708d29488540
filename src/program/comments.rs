//! What comments say of functions: that a caller may record them into a graph, who captures the stream that he hands over, that
//! he has to wait before he calls them, or that they do not wait.

use super::interfaces::Interface;
use super::{FunctionId, Program};
use crate::facts::ir::Role;

/// Words by which a comment allows something.
const ALLOWS: [&str; 14] = [
    "may",
    "can",
    "safe",
    "compatible",
    "friendly",
    "allowed",
    "permitted",
    "legal",
    "supported",
    "supports",
    "works",
    "usable",
    "capturable",
    "recordable",
];

/// Words by which it takes that back, or allows it under a condition.
const LIMITS: [&str; 15] = [
    "not", "never", "no", "cannot", "nor", "without", "outside", "before", "unless", "until", "except", "if",
    "first", "must", "when",
];

/// How many bytes of a comment are read.
const MOST_READ: usize = 4_096;

impl Program {
    /// Whether a comment at a function, at its class or at the head of its file says that it may be captured: in the stream that
    /// it is handed, or that its object was made for.
    pub fn is_recordable(&self, id: FunctionId) -> bool {
        self.works_for_stream(id) && self.is_said(id, &allows_recording)
    }

    /// Whether such a comment says that a function is to be called once before it is recorded.
    pub fn asks_for_a_call_before(&self, id: FunctionId) -> bool {
        self.is_said(id, &comes_after_a_call)
    }

    /// Whether such a comment says that nothing may be under way when a function is called.
    pub fn asks_for_idle(&self, id: FunctionId) -> bool {
        self.is_said(id, &asks_for_idle)
    }

    /// Whether such a comment says that a function that works in a stream of the caller's does not wait for that work.
    pub fn says_it_does_not_wait(&self, id: FunctionId) -> bool {
        self.takes_stream(id) && self.is_said(id, &returns_at_once)
    }

    fn is_said(&self, id: FunctionId, says: &dyn Fn(&str, Option<&str>) -> bool) -> bool {
        let mut written_at = std::iter::once(id).chain(self.declarations_of(id));
        written_at.any(|it| self.is_said_at(it, says))
    }

    fn is_said_at(&self, id: FunctionId, says: &dyn Fn(&str, Option<&str>) -> bool) -> bool {
        let function = self.function(id);
        let source = &self.source(id.file).bytes;
        if says(&comment_before(source, function.span.start as usize), None) {
            return true;
        }
        let Some(name) = function.path.last() else {
            return false;
        };
        let class = self.class_of_method(id).filter(|it| it.file == id.file);
        let of_class = class.map(|it| comment_before(source, self.class(it).span.start as usize));
        let of_file = comment_at_head(source);
        let of_section = comment_above(source, function.span.start as usize);
        let named = |it: String| says(&it, Some(name));
        of_class.is_some_and(named) || named(of_file) || named(of_section)
    }

    /// The interface that a function is by itself: it needs no object, and may be recorded.
    pub(super) fn interface_of_recordable(&self, id: FunctionId) -> Option<Interface> {
        let function = self.function(id);
        let is_one = super::makers::is_offered(function)
            && function.role == Role::Function
            && self.class_of_method(id).is_none()
            && self.is_eventful(id)
            && self.is_recordable(id);
        is_one.then(|| Interface::of_function(id))
    }
}

/// Words for all that a file or class offers.
const ALL: [&str; 4] = ["all", "any", "each", "every"];

/// Words for what stands there, where several of it are meant.
const THESE: [&str; 2] = ["the", "these"];

/// What it offers.
const CALLS: [&str; 7] = [
    "call",
    "calls",
    "function",
    "functions",
    "method",
    "methods",
    "operations",
];

/// Words that stand for what the clause before is about.
const SAME: [&str; 5] = ["they", "them", "it", "these", "both"];

/// The words of each clause about a function: the one with this name, or the one a comment stands at.
fn sentences<'a>(comment: &'a str, name: Option<&'a str>) -> impl Iterator<Item = Vec<String>> + 'a {
    let clauses = comment.split(". ").flat_map(|it| it.split(['\n', ';', ':', '!']));
    let mut is_about = false;
    clauses.filter_map(move |clause| {
        let words: Vec<&str> = clause
            .split(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != '\'')
            .filter(|it| !it.is_empty())
            .collect();
        let lower: Vec<String> = words.iter().map(|it| it.to_ascii_lowercase()).collect();
        let of_all = || {
            let mut pairs = lower.windows(2);
            lower.starts_with(&["all", "of", "these"].map(str::to_owned))
                || pairs.any(|it| {
                    let are_several = THESE.contains(&it[0].as_str()) && it[1].ends_with('s');
                    CALLS.contains(&it[1].as_str()) && (ALL.contains(&it[0].as_str()) || are_several)
                })
        };
        // "All of them".
        let all_of = lower.first().is_some_and(|it| ALL.contains(&it.as_str()));
        let subject = lower.get(if all_of { 2 } else { 0 });
        let goes_on = is_about && subject.is_some_and(|it| SAME.contains(&it.as_str()));
        is_about = name.is_none_or(|it| words.contains(&it) || of_all()) || goes_on;
        is_about.then_some(lower)
    })
}

/// Whether a comment speaks of a call that comes before others: "after one call with the same sizes", "once warmed up".
fn comes_after_a_call(comment: &str, _: Option<&str>) -> bool {
    const NEAR: usize = 4;
    let words: Vec<String> = comment
        .split(|it: char| !it.is_ascii_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let is_call =
        |it: &String| matches!(it.as_str(), "call" | "called" | "invocation") || it.starts_with("warm");
    let follows = |(index, it): (usize, &String)| {
        let behind = words[index + 1..].iter().take(NEAR);
        matches!(it.as_str(), "after" | "once" | "first") && behind.into_iter().any(is_call)
    };
    words.iter().enumerate().any(follows)
}

/// Whether a sentence says that what is called must be idle, or has nothing under way.
fn asks_for_idle(comment: &str, name: Option<&str>) -> bool {
    sentences(comment, name).any(|words| {
        let has = |known: &[&str]| words.iter().any(|it| known.contains(&it.as_str()));
        let nothing = has(&["no", "nothing", "not", "without"]);
        has(&["idle", "quiescent"]) || nothing && has(&["flight", "pending", "outstanding"])
    })
}

/// Whether a sentence says that what it is about does not wait for the device: "returns at once", "does not block", "asynchronous".
fn returns_at_once(comment: &str, name: Option<&str>) -> bool {
    const WAITING: [&str; 8] = [
        "block",
        "blocks",
        "blocking",
        "wait",
        "waits",
        "waiting",
        "synchronise",
        "synchronize",
    ];
    sentences(comment, name).any(|words| {
        let has = |known: &[&str]| words.iter().any(|it| known.contains(&it.as_str()));
        let follows = |one: &[&str], other: &[&str]| {
            let mut pairs = words.windows(2);
            pairs.any(|it| one.contains(&it[0].as_str()) && other.contains(&it[1].as_str()))
        };
        let limited = has(&["unless", "until", "except", "if", "when", "only", "may", "can"]);
        let at_once = has(&["immediately"]) || follows(&["at"], &["once"]);
        let is_about_return = has(&["return", "returns", "returning"]);
        let never_waits = follows(&["without", "not", "never", "doesn't"], &WAITING);
        let is_asynchronous = has(&["asynchronous", "asynchronously"]) && !has(&["not", "no"]);
        !limited && (is_about_return && at_once || never_waits || is_asynchronous)
    })
}

/// Whether a sentence allows to record what it is about.
fn allows_recording(comment: &str, name: Option<&str>) -> bool {
    sentences(comment, name).any(|lower| {
        let has = |known: &[&str]| lower.iter().any(|it| known.contains(&it.as_str()));
        let at_once = lower.windows(2).any(|it| it[0] == "at" && it[1] == "once");
        let after_once = !at_once && has(&["once"]);
        let is_limited = has(&LIMITS) || after_once || lower.iter().any(|it| it.ends_with("n't"));
        has(&ALLOWS) && !is_limited && is_about_recording(&lower)
    })
}

/// Whether the words are about a stream that is captured, or a graph that something is recorded into.
fn is_about_recording(words: &[String]) -> bool {
    let has = |known: &[&str]| words.iter().any(|it| known.contains(&it.as_str()));
    let captures = words.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "stream" | "graph" | "graphs") && pair[1].starts_with("captur")
            || matches!(pair[0].as_str(), "is" | "are") && pair[1] == "capturing"
            || pair[0].starts_with("captur") && matches!(pair[1].as_str(), "safe" | "compatible" | "friendly")
    });
    let in_capture = words.windows(2).any(|it| {
        matches!(it[0].as_str(), "in" | "under" | "during" | "inside")
            && matches!(it[1].as_str(), "capture" | "capturing")
    });
    let being_captured = words.windows(2).any(|it| it[0] == "being" && it[1] == "captured");
    captures
        || (being_captured || in_capture) && has(&["stream", "streams"])
        || has(&["capturable", "recordable"])
        || has(&["captured", "recorded"]) && has(&["graph", "graphs", "capture"])
}

/// The comment that ends directly before an offset, without its marks; a template's head between them is passed over.
fn comment_before(source: &[u8], offset: usize) -> String {
    let end = offset.min(source.len());
    let text = String::from_utf8_lossy(&source[end.saturating_sub(MOST_READ)..end]);
    let mut lines: Vec<&str> = Vec::new();
    // What stands before the declaration in its own line belongs to it.
    let mut before = text.lines().rev().skip(usize::from(!text.ends_with('\n')));
    let mut in_block = false;
    for line in before.by_ref() {
        let line = line.trim();
        if in_block {
            lines.push(line);
            if line.starts_with("/*") {
                break;
            }
        } else if line.starts_with("//") {
            lines.push(line);
        } else if line.ends_with("*/") {
            lines.push(line);
            if line.starts_with("/*") {
                break;
            }
            in_block = true;
        } else if lines.is_empty() && line.starts_with("template") && line.ends_with('>') {
            continue;
        } else {
            break;
        }
    }
    lines.reverse();
    unmarked(&lines)
}

/// The last comment before an offset that stands by itself, with an empty line behind it.
fn comment_above(source: &[u8], offset: usize) -> String {
    let end = offset.min(source.len());
    let text = String::from_utf8_lossy(&source[end.saturating_sub(MOST_READ)..end]);
    let mut below = None;
    let mut behind = text.len();
    for line in text.split_inclusive('\n').rev() {
        let words = line.trim();
        if below == Some("") && (words.starts_with("//") || words.ends_with("*/")) {
            return comment_before(text[..behind].as_bytes(), behind);
        }
        below = Some(words);
        behind -= line.len();
    }
    String::new()
}

/// The comment a file begins with.
fn comment_at_head(source: &[u8]) -> String {
    let text = String::from_utf8_lossy(&source[..source.len().min(MOST_READ)]);
    let mut lines = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let line = line.trim();
        if in_block || line.starts_with("/*") {
            in_block = !line.ends_with("*/");
        } else if !line.starts_with("//") {
            break;
        }
        lines.push(line);
    }
    unmarked(&lines)
}

/// The words of lines of comments; an empty line ends a sentence.
fn unmarked(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let words = line
            .trim_start_matches(['/', '*', '!', '<'])
            .trim_end_matches("*/")
            .trim();
        text.push_str(if words.is_empty() { "\n" } else { words });
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_allows_what_it_says_without_a_condition() {
        for text in [
            "Only enqueues work, and may be recorded into a CUDA graph.",
            "enqueue() may be used with several streams at once, and may be recorded by stream capture.",
            "Capturable. Blocks never.",
            "This is graph-capture safe.",
            "It may be called while `stream` is capturing.",
        ] {
            assert!(allows_recording(text, None), "{text}");
        }
        for text in [
            "May not be recorded into a CUDA graph.",
            "The pointers are captured by the lambda and may be null.",
            "Can be captured into a graph once prepare() was called.",
            "Call it before stream capture, it can allocate.",
            "Launches a graph that can be updated.",
        ] {
            assert!(!allows_recording(text, None), "{text}");
        }
        let of_build = |it| allows_recording(it, Some("build"));
        assert!(!of_build("run() may be recorded into a graph."));
        assert!(of_build(
            "All functions may be called while their stream is being captured."
        ));
        assert!(!of_build("All functions wait for the stream."));
        assert!(of_build(
            "All functions return at once; they may be called while the stream is in capture."
        ));
        assert!(!of_build(
            "run() returns at once; it may be called while the stream is in capture."
        ));
    }

    #[test]
    fn a_comment_by_itself_is_about_what_stands_below() {
        let source = b"/// All of these may be\n/// captured into a graph.\n\n/// Sums.\nvoid sum();\n\nvoid mean();\n";
        for name in ["sum", "mean"] {
            let text = std::str::from_utf8(source).unwrap_or_default();
            let at = text.find(&format!("void {name}")).unwrap_or_default();
            assert_eq!(
                comment_above(source, at).trim(),
                "All of these may be captured into a graph."
            );
        }
        let of_sum = |it| allows_recording(it, Some("sum"));
        assert!(of_sum(
            "The operations return at once. All of them may be called while that stream is captured into a graph."
        ));
        assert!(!of_sum(
            "The handle waits. All of it may be captured into a graph."
        ));
    }

    #[test]
    fn a_comment_asks_for_what_must_be_over() {
        let asks = |it| asks_for_idle(it, Some("set_stream"));
        assert!(asks(
            "Blocks run in order. set_stream is called while the filter is idle."
        ));
        assert!(asks("No work may be pending when set_stream() is called."));
        assert!(!asks("set_stream may be called at any time."));
        assert!(!asks("run() needs an idle stream."));
    }

    #[test]
    fn a_comment_says_that_a_function_does_not_wait() {
        for text in [
            "Enqueues the steps on `stream` and returns without waiting for the device.",
            "Returns at once.",
            "Asynchronous: takes the rows as `stream` leaves them. Blocks only while every slot is in use.",
            "Never blocks.",
        ] {
            assert!(returns_at_once(text, None), "{text}");
        }
        for text in [
            "Returns when every callback has run.",
            "Waits for the stream.",
            "Does not wait if the ring has room.",
            "Not asynchronous.",
            "Copies the rows, and may return at once.",
        ] {
            assert!(!returns_at_once(text, None), "{text}");
        }
    }

    #[test]
    fn the_comment_of_a_declaration_stands_before_it() {
        let source = b"// Far.\n\n// One.\n// Two.\ntemplate <typename T>\nvoid f();";
        let at = source.len() - "void f();".len();
        assert_eq!(comment_before(source, at).trim(), "One. Two.");
        assert_eq!(
            comment_at_head(b"/* a.cu - one\n *\n * two. */\nint x;").trim(),
            "a.cu - one \n two."
        );
    }
}
