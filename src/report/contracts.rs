//! Contracts as text, as JSON and as a table for documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::diagnostics::Location;
use crate::diagnostics::source::{Position, SourceText};
use crate::order::contracts::{Contract, Returns};
use crate::rules::contracts::Promised;

/// The bytes of every file that a contract can name, by shown path.
pub type Sources = BTreeMap<Arc<str>, Arc<[u8]>>;

fn position(sources: &Sources, at: &Location) -> Position {
    let bytes = sources.get(&at.path).map_or(&b""[..], |it| it);
    SourceText::new(bytes).position(at.span.start)
}

fn place(sources: &Sources, at: &Location) -> String {
    format!("{}:{}", at.path, position(sources, at).line)
}

fn signature(it: &Promised) -> String {
    let named = it.parameters.iter().map(|it| match it.is_empty() {
        true => "_",
        false => it,
    });
    format!("{}({})", it.name, named.collect::<Vec<_>>().join(", "))
}

/// Names in backquotes.
fn quoted<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names = names.into_iter().map(|it| format!("`{it}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// What is done when the function returns.
fn on_return(contract: &Contract) -> &'static str {
    match contract.returns {
        Returns::NoWork => "enqueues nothing there",
        Returns::AtOnce => "returns at once",
        Returns::Sometimes => "may wait for it",
        Returns::WhenDone => "returns when that is done",
    }
}

/// Work outside of the stream.
fn elsewhere(contract: &Contract) -> Vec<String> {
    let told = contract.elsewhere.iter().map(|it| match &it.stream {
        Some(stream) if !stream.is_empty() => format!("`{}` in `{stream}`", it.work),
        Some(_) => format!("`{}` in another stream", it.work),
        None => format!("`{}` in the legacy default stream", it.work),
    });
    told.collect()
}

/// What a capture of the stream makes of it.
fn in_capture(sources: &Sources, it: &Promised) -> String {
    let told = |relaxed: bool| {
        let calls = it.refused.iter().filter(move |it| it.0.relaxed == relaxed);
        let calls: BTreeSet<String> = calls
            .map(|(call, at)| format!("`{}` ({})", call.call, place(sources, at)))
            .collect();
        calls.into_iter().collect::<Vec<_>>().join(", ")
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
pub fn text(contracts: &[Promised], sources: &Sources) -> String {
    let mut text = String::new();
    for it in contracts {
        let contract = &it.contract;
        let _ = writeln!(text, "{}: {}", place(sources, &it.at), signature(it));
        let mut line = |name: &str, value: String| {
            if !value.is_empty() {
                let _ = writeln!(text, "    {name:<10} {value}");
            }
        };
        line("works in", quoted(&contract.streams));
        line("reads", quoted(&contract.reads));
        line("writes", quoted(&contract.writes));
        line("host", on_return(contract).to_owned());
        line("beside", elsewhere(contract).join(", "));
        line("capture", in_capture(sources, it));
        line("unseen", quoted(&contract.unseen));
        text.push('\n');
    }
    text
}

/// One object.
pub fn json(contracts: &[Promised], sources: &Sources) -> String {
    let location = |at: &Location| {
        let position = position(sources, at);
        serde_json::json!({"path": &*at.path, "line": position.line, "column": position.column})
    };
    let one = |it: &Promised| {
        let contract = &it.contract;
        let elsewhere = contract
            .elsewhere
            .iter()
            .map(|it| serde_json::json!({"work": it.work, "stream": it.stream}));
        let refused = it.refused.iter().map(|(call, at)| {
            serde_json::json!({"call": call.call, "relaxedModeAllows": call.relaxed, "location": location(at)})
        });
        serde_json::json!({
            "function": it.name,
            "parameters": it.parameters,
            "location": location(&it.at),
            "streams": contract.streams,
            "reads": contract.reads,
            "writes": contract.writes,
            "returns": match contract.returns {
                Returns::NoWork => "no-work",
                Returns::AtOnce => "at-once",
                Returns::Sometimes => "sometimes-done",
                Returns::WhenDone => "done",
            },
            "elsewhere": elsewhere.collect::<Vec<_>>(),
            "refusedInCapture": refused.collect::<Vec<_>>(),
            "unseen": contract.unseen,
            "complete": it.complete,
        })
    };
    let all: Vec<_> = contracts.iter().map(one).collect();
    format!("{:#}\n", serde_json::json!({"version": 1, "contracts": all}))
}

/// A table.
pub fn markdown(contracts: &[Promised], sources: &Sources) -> String {
    let mut text = "| function | works in | reads | writes | host | other streams | in a capture |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for it in contracts {
        let contract = &it.contract;
        let cells = [
            format!("`{}`", signature(it)),
            quoted(&contract.streams),
            quoted(&contract.reads),
            quoted(&contract.writes),
            on_return(contract).to_owned(),
            elsewhere(contract).join(", "),
            in_capture(sources, it),
        ];
        let _ = writeln!(text, "| {} |", cells.map(|it| it.replace('|', "\\|")).join(" | "));
    }
    text
}
