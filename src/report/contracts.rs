//! Contracts as text, as JSON and as a table for documentation.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::diagnostics::Location;
use crate::diagnostics::source::{Position, SourceText};
use crate::order::contracts::{Contract, Deeds, Returns};

/// The bytes of every file that a contract can name, by shown path.
pub type Sources = BTreeMap<Arc<str>, Arc<[u8]>>;

fn position(sources: &Sources, at: &Location) -> Position {
    let bytes = sources.get(&at.path).map_or(&b""[..], |it| it);
    SourceText::new(bytes).position(at.span.start)
}

fn place(sources: &Sources, at: &Location) -> String {
    format!("{}:{}", at.path, position(sources, at).line)
}

fn signature(it: &Contract) -> String {
    let named = it.parameters.iter().map(|it| match it.is_empty() {
        true => "_",
        false => it,
    });
    format!("{}({})", it.function, named.collect::<Vec<_>>().join(", "))
}

/// Names in backquotes.
fn quoted<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names = names.into_iter().map(|it| format!("`{it}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// What is done when the function returns.
fn on_return(deeds: &Deeds) -> &'static str {
    match deeds.returns {
        Returns::NoWork => "enqueues nothing there",
        Returns::AtOnce => "returns at once",
        Returns::Sometimes => "may wait for it",
        Returns::WhenDone => "returns when that is done",
    }
}

/// Work outside of the stream.
fn elsewhere(deeds: &Deeds) -> Vec<String> {
    let told = deeds.elsewhere.iter().map(|it| match &it.stream {
        Some(stream) if !stream.is_empty() => format!("`{}` in `{stream}`", it.work),
        Some(_) => format!("`{}` in another stream", it.work),
        None => format!("`{}` in the legacy default stream", it.work),
    });
    told.collect()
}

/// What a capture of the stream makes of it.
fn in_capture(sources: &Sources, it: &Contract) -> String {
    let told = |relaxed: bool| {
        let calls = it.deeds.refused.iter().filter(|it| it.relaxed == relaxed);
        let calls = calls.map(|it| format!("`{}` ({})", it.call, place(sources, &it.at)));
        calls.collect::<Vec<_>>().join(", ")
    };
    let (never, relaxed) = (told(false), told(true));
    match (never.is_empty(), relaxed.is_empty()) {
        (false, _) => format!("refused: {never}"),
        (true, false) => format!("in relaxed mode only: {relaxed}"),
        (true, true) if it.complete => "nothing it calls is refused".to_owned(),
        (true, true) => "nothing seen is refused".to_owned(),
    }
}

/// For people.
pub fn text(contracts: &[Contract], sources: &Sources) -> String {
    let mut text = String::new();
    for it in contracts {
        let deeds = &it.deeds;
        let _ = writeln!(text, "{}: {}", place(sources, &it.at), signature(it));
        let mut line = |name: &str, value: String| {
            if !value.is_empty() {
                let _ = writeln!(text, "    {name:<10} {value}");
            }
        };
        line("works in", quoted(&deeds.streams));
        line("reads", quoted(&deeds.reads));
        line("writes", quoted(&deeds.writes));
        line("host", on_return(deeds).to_owned());
        line("beside", elsewhere(deeds).join(", "));
        line("capture", in_capture(sources, it));
        line("unseen", quoted(&deeds.unseen));
        text.push('\n');
    }
    text
}

/// One object.
pub fn json(contracts: &[Contract], sources: &Sources) -> String {
    let location = |at: &Location| {
        let position = position(sources, at);
        serde_json::json!({"path": &*at.path, "line": position.line, "column": position.column})
    };
    let one = |it: &Contract| {
        let deeds = &it.deeds;
        let elsewhere = deeds
            .elsewhere
            .iter()
            .map(|it| serde_json::json!({"work": it.work, "stream": it.stream}));
        let refused = deeds.refused.iter().map(|it| {
            serde_json::json!({"call": it.call, "relaxedModeAllows": it.relaxed, "location": location(&it.at)})
        });
        serde_json::json!({
            "function": it.function,
            "parameters": it.parameters,
            "location": location(&it.at),
            "streams": deeds.streams,
            "reads": deeds.reads,
            "writes": deeds.writes,
            "returns": match deeds.returns {
                Returns::NoWork => "no-work",
                Returns::AtOnce => "at-once",
                Returns::Sometimes => "sometimes-done",
                Returns::WhenDone => "done",
            },
            "elsewhere": elsewhere.collect::<Vec<_>>(),
            "refusedInCapture": refused.collect::<Vec<_>>(),
            "unseen": deeds.unseen,
            "complete": it.complete,
        })
    };
    let all: Vec<_> = contracts.iter().map(one).collect();
    format!("{:#}\n", serde_json::json!({"version": 1, "contracts": all}))
}

/// A table.
pub fn markdown(contracts: &[Contract], sources: &Sources) -> String {
    let mut text = "| function | works in | reads | writes | host | other streams | in a capture |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for it in contracts {
        let deeds = &it.deeds;
        let cells = [
            format!("`{}`", signature(it)),
            quoted(&deeds.streams),
            quoted(&deeds.reads),
            quoted(&deeds.writes),
            on_return(deeds).to_owned(),
            elsewhere(deeds).join(", "),
            in_capture(sources, it),
        ];
        let _ = writeln!(text, "| {} |", cells.map(|it| it.replace('|', "\\|")).join(" | "));
    }
    text
}
