//! What stands under the pointer: a CUDA call, a finding, or a comment that keeps one quiet.

use std::ops::Range;

use crate::api::{self, Blocking, Call, Capture, Certainty, Loading, Lock, Operation, Preload};
use crate::diagnostics::rule::{Rule, rule};

/// Text about a place, in Markdown, and the bytes it is about.
pub(super) struct Hover {
    pub text: String,
    pub range: Range<usize>,
}

/// What is known of the name at an offset.
pub(super) fn at(text: &[u8], offset: usize) -> Option<Hover> {
    in_comment(text, offset).or_else(|| of_call(text, offset))
}

/// What a rule means, as its card begins.
pub(super) fn of_rule(rule: &Rule) -> String {
    format!(
        "**{} {}**: {}\n\n{}",
        rule.code,
        rule.name,
        rule.summary,
        what_it_does(rule.card)
    )
}

/// The first section of a card.
fn what_it_does(card: &str) -> String {
    let section = card
        .split("\n## ")
        .find(|it| it.trim_start_matches("## ").starts_with("What it does"));
    let body = section.and_then(|it| it.split_once('\n')).map_or("", |it| it.1);
    let paragraphs = body.trim().split("\n\n");
    // Lines of a card are broken where they fit an editor.
    paragraphs
        .map(|it| it.replace('\n', " "))
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// The rule that a comment on this line names, or all it names where the place is no name.
fn in_comment(text: &[u8], offset: usize) -> Option<Hover> {
    let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |it| it + 1);
    let end = memchr::memchr(b'\n', &text[offset..]).map_or(text.len(), |it| offset + it);
    let line = &text[start..end];
    let marks: [&[u8]; 2] = [b"cudalint", b"NOLINT"];
    let comment = marks
        .iter()
        .filter_map(|it| memchr::memmem::find(line, it))
        .min()?;
    let in_word = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
    let word = around(text, offset, in_word);
    let begins_comment = [&b"//"[..], b"/*"]
        .iter()
        .any(|it| memchr::memmem::find(&line[..comment], it).is_some());
    if offset < start + comment || !begins_comment {
        return None;
    }
    let name = std::str::from_utf8(&text[word.clone()]).ok()?;
    let name = name.strip_prefix("cudalint-").unwrap_or(name);
    if let Some(rule) = rule(name) {
        return Some(Hover {
            text: of_rule(rule),
            range: word,
        });
    }
    let names = line[comment..].split(|it| !in_word(it));
    let names = names.filter_map(|it| std::str::from_utf8(it).ok());
    let rules = names.filter_map(|it| rule(it.strip_prefix("cudalint-").unwrap_or(it)));
    let texts: Vec<String> = rules.map(of_rule).collect();
    (!texts.is_empty()).then(|| Hover {
        text: texts.join("\n\n---\n\n"),
        range: start + comment..end,
    })
}

/// The name of a call at an offset, with the namespaces before it.
fn of_call(text: &[u8], offset: usize) -> Option<Hover> {
    let in_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
    let word = around(text, offset, in_word);
    if word.is_empty() || text[word.start].is_ascii_digit() {
        return None;
    }
    let mut path = vec![&text[word.clone()]];
    let mut start = word.start;
    while text[..start].ends_with(b"::") {
        let before = around(text, start - 2, in_word);
        if before.is_empty() || before.end != start - 2 {
            break;
        }
        path.insert(0, &text[before.clone()]);
        start = before.start;
    }
    let path: Vec<&str> = path
        .into_iter()
        .filter_map(|it| std::str::from_utf8(it).ok())
        .collect();
    let call = api::lookup_path(&path)?;
    Some(Hover {
        text: describe(path.last()?, call),
        range: word,
    })
}

/// The word around an offset; one that ends there counts.
fn around(text: &[u8], offset: usize, in_word: impl Fn(&u8) -> bool) -> Range<usize> {
    let offset = offset.min(text.len());
    let before = text[..offset].iter().rev().take_while(|it| in_word(it)).count();
    let after = text[offset..].iter().take_while(|it| in_word(it)).count();
    offset - before..offset + after
}

/// What a call blocks, loads and locks, as a list.
fn describe(written: &str, call: &Call) -> String {
    let mut lines = Vec::new();
    lines.push(match (blocks(call.blocks), blocks(call.may_block)) {
        (None, None) => "returns without waiting for the device".to_owned(),
        (Some(it), None) => format!("waits for {it}"),
        (None, Some(may)) => format!("was seen to return without waiting, and may wait for {may}"),
        (Some(it), Some(may)) => format!("waits for {it}, and may wait for {may}"),
    });
    if call.is_enqueue() {
        lines.push("enqueues work, in the order of its stream".to_owned());
    }
    lines.extend(loads(call).map(str::to_owned));
    match call.preloads {
        Preload::Yes => lines.push("leaves its kernel loaded".to_owned()),
        Preload::Measured => lines.push("was seen to leave its kernel loaded".to_owned()),
        Preload::No => {}
    }
    lines.push(lock(call.lock).to_owned());
    lines.push(captured(call.capture).to_owned());
    if call.in_callback {
        lines.push("may be called from a host function that a stream runs".to_owned());
    }
    let name = match call.name == written {
        true => format!("**`{written}`**"),
        false => format!("**`{written}`** (as `{}`)", call.name),
    };
    let known = match call.certainty {
        Certainty::Documented => "documented",
        Certainty::Measured => "measured",
        Certainty::May => "documents allow it, not seen",
    };
    let list: Vec<String> = lines.into_iter().map(|it| format!("- {it}")).collect();
    format!("{name}\n\n{}\n\n{known}: {}", list.join("\n"), call.reference)
}

/// What must have ended before a call returns.
pub(super) fn blocks(blocking: Blocking) -> Option<&'static str> {
    Some(match blocking {
        Blocking::None => return None,
        Blocking::Stream => "its stream",
        Blocking::Event => "its event",
        Blocking::Legacy => "the default stream, and through it every blocking stream",
        Blocking::LegacyCopy => {
            "the default stream, and through it every blocking stream, where host memory takes part"
        }
        Blocking::PageableToHost => "its stream, where it copies to pageable host memory",
        Blocking::Device => "everything in the device's context",
        Blocking::StackLimit => "everything in the device's context, where the limit is that of the stack",
    })
}

fn loads(call: &Call) -> Option<&'static str> {
    let launches = matches!(call.operation, Operation::Launch | Operation::CooperativeLaunch);
    Some(match call.loads {
        Loading::None => return None,
        Loading::Function if launches => {
            "loads its kernel at the first use: a barrier behind everything enqueued before"
        }
        Loading::Function => {
            "loads the kernel, when it is not yet: a barrier behind everything enqueued before"
        }
        Loading::Symbol => {
            "loads the module of its variable, when nothing of that was used: may wait for what runs"
        }
        Loading::Module => "loads a module: waits for everything that runs",
        Loading::EagerModule => "loads a module, which waits for everything that runs when loading is eager",
        Loading::Library => "loads the library's kernels at the first call for a handle: waits for what runs",
    })
}

fn lock(lock: Lock) -> &'static str {
    match lock {
        Lock::None => "takes no lock of the context: goes on whatever other threads are blocked in",
        Lock::Read => {
            "shares the lock of the context: waits for a thread that is blocked in a call that holds it alone"
        }
        Lock::Write => "takes the lock of the context alone: waits for other threads' calls, and they for it",
        Lock::All => "takes the lock of the context alone, and before every other call",
    }
}

fn captured(capture: Capture) -> &'static str {
    match capture {
        Capture::Legal => "may be called while a stream is captured",
        Capture::Unsafe => "while a stream is captured: only in relaxed mode",
        Capture::Prohibited => "while a stream is captured: never",
        Capture::Legacy => {
            "works on the legacy stream: not allowed while a blocking stream is captured, and not captured otherwise"
        }
        Capture::Captured => "becomes part of the graph when its stream is captured",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hover(marked: &str) -> Option<String> {
        let offset = marked.find('|').expect("a place is marked");
        let text = marked.replace('|', "");
        at(text.as_bytes(), offset).map(|it| it.text)
    }

    #[test]
    fn calls_say_what_the_table_says() {
        let free = hover("  cuda|Free(p);").expect("it is known");
        assert!(
            free.contains("waits for everything in the device's context"),
            "{free}"
        );
        assert!(free.contains("takes the lock of the context alone"), "{free}");
        let launch = hover("x = |cudaLaunchKernel(k);").expect("it is known");
        assert!(launch.contains("loads its kernel at the first use"), "{launch}");
        let hip = hover("hipMalloc|(&p)").expect("it is known");
        assert!(hip.contains("(as `cudaMalloc`)"), "{hip}");
        assert!(hover("at::cuda::cub::DeviceScan::Inclusive|Sum(x)").is_some());
        assert_eq!(hover("my_own|_function()"), None);
        assert_eq!(hover("1|"), None);
        assert_eq!(hover("|"), None);
    }

    #[test]
    fn every_call_can_be_described() {
        for call in api::calls() {
            assert!(describe(call.name, call).contains("\n- "), "{}", call.name);
        }
    }

    #[test]
    fn comments_say_what_their_rules_mean() {
        let by_code = hover("k(); // cudalint: ignore[CL1|02] why").expect("it is a rule");
        assert!(by_code.contains("spin-without-preload") && by_code.contains("Reports the first launch"));
        let by_name = hover("// NOLINT(cudalint-spin-without-|preload)");
        assert_eq!(by_name.as_ref(), Some(&by_code));
        let all = hover("// cuda|lint: ignore[CL102, CL201]").expect("it names rules");
        assert!(all.contains("CL102") && all.contains("CL201"));
        assert_eq!(hover("x = |CL102; // cudalint"), None);
        assert_eq!(hover("puts(\"cudalint CL1|02\");"), None);
    }

    #[test]
    fn every_rule_has_something_to_say() {
        for rule in crate::diagnostics::rule::RULES {
            let text = of_rule(rule);
            assert!(
                text.len() > rule.summary.len() + 60 || rule.group == "suppressions",
                "{text}"
            );
        }
    }
}
