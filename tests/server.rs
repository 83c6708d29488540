//! The language server as an editor meets it: the real binary, spoken to over its standard input and output.

mod common;
mod editor;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use common::{Project, run};
use editor::{Editor, abilities, address, applied};

/// A program that hangs, with a fix.
const HANG: &str = include_str!("../fixtures/spin-without-preload/bad-flag-handoff.cu");

const KERNELS: &str = "\
__device__ volatile int gate;
__global__ void await_gate() {
  while (gate == 0) {
  }
}
__global__ void open_gate() { gate = 1; }
";

/// The launch stands behind characters that take one unit in UTF-32, two in UTF-16, four in UTF-8.
const LAUNCHES: &str = "\
#include \"kernels.cuh\"
int main() {
  cudaStream_t waiting, opening;
  cudaStreamCreate(&waiting);
  cudaStreamCreate(&opening);
  await_gate<<<1, 1, 0, waiting>>>();
  /* 😀😀 */ open_gate<<<1, 1, 0, opening>>>();
  cudaDeviceSynchronize();
}
";

const QUIET: &str = "int main() { cudaDeviceSynchronize(); return 0; }\n";

/// A comment that keeps nothing quiet: taking it out is safe.
const UNUSED: &str =
    "int main() {\n  // cudalint: ignore[CL102]\n  cudaDeviceSynchronize();\n  return 0;\n}\n";

fn whole() -> Value {
    json!({"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}})
}

#[test]
fn a_hang_is_shown_with_every_step_in_files_that_are_not_open() {
    let project = Project::new(&[("src/kernels.cuh", KERNELS), ("src/a.cu", LAUNCHES)]);
    let editor = Editor::new(project.root());
    let (launches, kernels) = (
        address(&project.path("src/a.cu")),
        address(&project.path("src/kernels.cuh")),
    );
    assert_eq!(editor.codes(&launches), ["CL102"]);
    let diagnostic = editor.shown[&launches][0].clone();
    let range = json!({"start": {"line": 6, "character": 13}, "end": {"line": 6, "character": 46}});
    assert_eq!(diagnostic["range"], range, "columns count units of UTF-16");
    assert_eq!(
        (&diagnostic["severity"], &diagnostic["source"]),
        (&json!(1), &json!("cudalint"))
    );
    let message = diagnostic["message"].as_str().expect("there is one");
    assert!(
        message.starts_with("spin-without-preload: `open_gate` can never start"),
        "{message}"
    );
    assert!(message.contains("\nhelp: load `open_gate` before"), "{message}");
    assert!(diagnostic.get("codeDescription").is_none(), "no address is known");
    let steps = diagnostic["relatedInformation"]
        .as_array()
        .expect("there are steps");
    assert!(steps.len() >= 3, "{steps:?}");
    assert!(
        steps.iter().any(|it| it["location"]["uri"] == json!(kernels)),
        "{steps:?}"
    );
    let numbered = |(index, it): (usize, &Value)| {
        let message = it["message"].as_str().unwrap_or_default();
        message.starts_with(&format!("{}: ", index + 1))
    };
    assert!(steps.iter().enumerate().all(numbered), "{steps:?}");
    assert_eq!(editor.leave(), (Some(0), String::new()));
}

#[test]
fn the_text_in_the_editor_holds_and_what_is_gone_is_cleared() {
    let project = Project::new(&[("kernels.cuh", KERNELS), ("a.cu", LAUNCHES)]);
    let mut editor = Editor::new(project.root());
    let (launches, kernels) = (
        address(&project.path("a.cu")),
        address(&project.path("kernels.cuh")),
    );
    assert_eq!(editor.codes(&launches), ["CL102"]);
    // Another file ends the wait.
    editor.open(&kernels, "cuda-cpp", KERNELS);
    editor.checked();
    editor.replace(&kernels, 2, &KERNELS.replace("gate == 0", "false"));
    editor.checked();
    assert_eq!(editor.codes(&launches), [""; 0], "{:?}", editor.shown);
    let line = json!({"start": {"line": 2, "character": 9}, "end": {"line": 2, "character": 14}});
    let change = json!({"range": line, "text": "gate == 0"});
    let params = json!({"textDocument": {"uri": kernels, "version": 3}, "contentChanges": [change]});
    editor.notify("textDocument/didChange", params);
    editor.checked();
    assert_eq!(editor.codes(&launches), ["CL102"]);
    editor.replace(&kernels, 4, "");
    editor.checked();
    assert_eq!(editor.codes(&launches), [""; 0]);
    // Closed without being saved, it is what it was.
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": kernels}}));
    editor.checked();
    assert_eq!(editor.codes(&launches), ["CL102"]);
    // Written by somebody else.
    project.write("a.cu", QUIET.as_bytes());
    let changes = json!({"changes": [{"uri": launches, "type": 2}]});
    editor.notify("workspace/didChangeWatchedFiles", changes);
    editor.checked();
    assert_eq!(editor.codes(&launches), [""; 0]);
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn a_newer_edit_takes_the_place_of_a_check_and_the_server_goes_on_answering() {
    let many: String = (0..40)
        .map(|it| HANG.replace("int main", &format!("int run_{it}")))
        .collect();
    let project = Project::new(&[("a.cu", HANG), ("b.cu", &many)]);
    let (mut editor, _) = Editor::with(&[project.root()], abilities(), json!({"debounce": 50}));
    let uri = address(&project.path("a.cu"));
    editor.open(&uri, "cuda-cpp", HANG);
    for version in 2..42 {
        editor.replace(
            &uri,
            version,
            &format!("{}{HANG}", "// x\n".repeat(version as usize)),
        );
    }
    // What is asked for while there is something to check is answered at once.
    let line = 41
        + HANG
            .lines()
            .position(|it| it.contains("cudaDeviceSynchronize"))
            .expect("there is one");
    let asked = Instant::now();
    let hover = editor.hover(&uri, line, 6).to_string();
    assert!(hover.contains("waits for everything"), "{hover}");
    assert!(asked.elapsed() < Duration::from_secs(20));
    editor.checked();
    let of_file = editor.published;
    let last = editor.shown[&uri][0]["range"]["start"]["line"].clone();
    let first = HANG
        .lines()
        .position(|it| it.contains("open_gate<<<"))
        .expect("there is one");
    assert_eq!(last, json!(first + 41));
    assert!(of_file < 12, "{of_file} times for 41 versions");
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn what_is_found_in_an_edited_file_is_shown_before_the_rest_is_looked_at() {
    let project = Project::new(&[
        ("kernels.cuh", KERNELS),
        ("a.cu", LAUNCHES),
        ("b.cu", HANG),
        ("c.cu", QUIET),
    ]);
    let mut editor = Editor::new(project.root());
    let edited = address(&project.path("a.cu"));
    editor.open(&edited, "cuda-cpp", LAUNCHES);
    editor.checked();
    // Another declaration: everything is linked again.
    let text = LAUNCHES.replace("int main", "static int declared;\nint main");
    let text = text.replace("/* 😀😀 */ open_gate<<<1, 1, 0, opening>>>();", "");
    editor.replace(&edited, 2, &text);
    let first = editor.wait_for(|it| it["method"] == "$/cudalint/published");
    assert_eq!(first["params"]["uris"], json!([edited]));
    let codes = editor.codes(&edited);
    assert!(!codes.contains(&"CL102".to_owned()), "{codes:?}");
    assert_eq!(editor.codes(&address(&project.path("b.cu"))), ["CL102"]);
    editor.checked();
    assert_eq!(editor.codes(&edited), codes);
}

#[test]
fn units_of_a_column_are_negotiated() {
    let project = Project::new(&[("kernels.cuh", KERNELS), ("a.cu", LAUNCHES)]);
    for (encoding, column) in [("utf-8", 17), ("utf-16", 13), ("utf-32", 11)] {
        let mut can = abilities();
        can["general"]["positionEncodings"] = json!(["utf-16", encoding]);
        let (mut editor, started) = Editor::with(&[project.root()], can, json!({}));
        assert_eq!(started["capabilities"]["positionEncoding"], encoding);
        editor.checked();
        let start = &editor.shown[&address(&project.path("a.cu"))][0]["range"]["start"];
        assert_eq!(start["character"], column, "{encoding}");
    }
}

#[test]
fn a_fix_in_the_editor_is_what_the_command_writes() {
    let project = Project::new(&[("a.cu", HANG), ("b.cu", UNUSED)]);
    let mut editor = Editor::new(project.root());
    let (hang, unused) = (address(&project.path("a.cu")), address(&project.path("b.cu")));
    editor.open(&hang, "cuda-cpp", HANG);
    editor.open(&unused, "cuda-cpp", UNUSED);
    editor.checked();
    let actions = editor.actions(&hang, &whole(), Some("quickfix"));
    let title = |it: &&Value| {
        it["title"]
            .as_str()
            .unwrap_or_default()
            .starts_with("Unsafe fix: load")
    };
    let fix = actions.iter().find(title).expect("there is a fix");
    assert!(fix.get("isPreferred").is_none(), "only safe ones are preferred");
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(fix["diagnostics"][0]["code"], "CL102");
    let by_hand = applied(HANG, fix, &hang);

    let actions = editor.actions(&unused, &whole(), None);
    let safe = actions
        .iter()
        .find(|it| it["isPreferred"] == true)
        .expect("one is safe");
    let all = actions.iter().find(|it| it["kind"] == "source.fixAll.cudalint");
    let all = all.expect("there is one for all").clone();
    let all = editor
        .request("codeAction/resolve", all)
        .expect("it can be completed");
    let only = editor.actions(&unused, &whole(), Some("source.fixAll"));
    assert_eq!(only.len(), 1, "{only:?}");
    let unsafe_only = editor.actions(&hang, &whole(), Some("source"));
    assert!(unsafe_only.is_empty(), "{unsafe_only:?}");

    let fixed = run(&project, &["check", "--fix", "--unsafe-fixes", "--exit-zero"]);
    assert_eq!(fixed.code, 0, "{} {}", fixed.stdout, fixed.stderr);
    let written = |name: &str| std::fs::read_to_string(project.path(name)).expect("it is there");
    assert_eq!(by_hand, written("a.cu"));
    assert_eq!(applied(UNUSED, &all, &unused), written("b.cu"));
    assert_eq!(applied(UNUSED, safe, &unused), written("b.cu"));
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn a_comment_from_the_editor_keeps_a_finding_quiet() {
    let project = Project::new(&[("kernels.cuh", KERNELS), ("a.cu", LAUNCHES)]);
    let mut editor = Editor::new(project.root());
    let uri = address(&project.path("a.cu"));
    editor.open(&uri, "cuda-cpp", LAUNCHES);
    editor.checked();
    let line = json!({"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 0}});
    let actions = editor.actions(&uri, &line, None);
    let action = actions
        .iter()
        .find(|it| it["title"] == "Ignore CL102 (spin-without-preload) here");
    let text = applied(LAUNCHES, action.expect("it is offered"), &uri);
    assert!(
        text.contains("\n  // cudalint: ignore[CL102]\n  /* 😀😀 */ open_gate"),
        "{text}"
    );
    editor.replace(&uri, 2, &text);
    // Edits are for the text that was checked: there is nothing to offer yet, or it is about the new text.
    editor.checked();
    assert_eq!(editor.codes(&uri), [""; 0]);
    let elsewhere = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    assert!(editor.actions(&uri, &elsewhere, None).is_empty());
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn hovering_tells_what_calls_do_and_what_rules_mean() {
    let project = Project::new(&[("kernels.cuh", KERNELS), ("a.cu", LAUNCHES)]);
    let mut editor = Editor::new(project.root());
    let uri = address(&project.path("a.cu"));
    let text = format!("{LAUNCHES}// cudalint: ignore[host-wait-before-release]\n");
    editor.open(&uri, "cuda-cpp", &text);
    editor.checked();
    let text = |hover: Value| hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let call = editor.hover(&uri, 7, 5);
    assert_eq!(call["contents"]["kind"], "markdown");
    assert_eq!(call["range"]["start"], json!({"line": 7, "character": 2}));
    let call = text(call);
    assert!(
        call.contains("waits for everything in the device's context"),
        "{call}"
    );
    let comment = text(editor.hover(&uri, 9, 30));
    assert!(
        comment.contains("CL107") || comment.contains("host-wait-before-release"),
        "{comment}"
    );
    let finding = text(editor.hover(&uri, 6, 15));
    assert!(finding.contains("**CL102 spin-without-preload**"), "{finding}");
    assert!(
        finding.contains("Reports the first launch of a kernel"),
        "{finding}"
    );
    assert_eq!(editor.hover(&uri, 1, 1), Value::Null);
    assert_eq!(editor.hover("file:///not/open.cu", 1, 1), Value::Null);
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn a_configuration_is_read_again_when_it_changes() {
    let project = Project::new(&[("a.cu", HANG), ("cudalint.toml", "")]);
    let mut editor = Editor::new(project.root());
    let (uri, file) = (
        address(&project.path("a.cu")),
        address(&project.path("cudalint.toml")),
    );
    assert_eq!(editor.codes(&uri), ["CL102"]);
    let write = |editor: &mut Editor, text: &str| {
        project.write("cudalint.toml", text.as_bytes());
        let changes = json!({"changes": [{"uri": file, "type": 2}]});
        editor.notify("workspace/didChangeWatchedFiles", changes);
        editor.checked();
    };
    write(&mut editor, "ignore = [\"CL102\"]\n");
    assert_eq!(editor.codes(&uri), [""; 0]);
    write(&mut editor, "severity = { hang = \"info\" }\n");
    assert_eq!(editor.shown[&uri][0]["severity"], 3);
    // A mistake is shown where it is, and what was found stays.
    write(&mut editor, "\nignor = []\n");
    assert_eq!(editor.codes(&uri), ["CL102"]);
    let mistake = &editor.shown[&file][0];
    assert_eq!(mistake["range"]["start"]["line"], 1, "{mistake}");
    assert!(
        mistake["message"].as_str().is_some_and(|it| it.contains("ignor")),
        "{mistake}"
    );
    write(&mut editor, "");
    assert!(editor.shown[&file].is_empty());
    assert_eq!(editor.shown[&uri][0]["severity"], 1);
    let settings = json!({"settings": {"cudalint": {"overrides": {"ignore": ["CL102"]}}}});
    editor.notify("workspace/didChangeConfiguration", settings);
    editor.checked();
    assert_eq!(editor.codes(&uri), [""; 0]);
    editor.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"cudalint": {"runs": 1}}}),
    );
    let shown = editor.wait_for(|it| it["method"] == "window/showMessage");
    assert!(
        shown["params"]["message"]
            .as_str()
            .is_some_and(|it| it.contains("runs")),
        "{shown}"
    );
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn folders_come_and_go_and_documents_need_none() {
    let first = Project::new(&[("a.cu", HANG)]);
    let second = Project::new(&[("b.cu", HANG)]);
    let outside = Project::new(&[("c.cu", HANG), ("d.cu", HANG), ("cudalint.toml", "")]);
    let (mut editor, _) = Editor::with(
        &[first.root(), second.root()],
        abilities(),
        json!({"debounce": 0}),
    );
    editor.checked();
    let (a, b) = (address(&first.path("a.cu")), address(&second.path("b.cu")));
    assert_eq!(
        (editor.codes(&a), editor.codes(&b)),
        (vec!["CL102".to_owned()], vec!["CL102".to_owned()])
    );
    let removed = json!([{"uri": address(second.root()), "name": "x"}]);
    editor.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": [], "removed": removed}}),
    );
    editor.checked();
    assert_eq!(editor.codes(&b), [""; 0]);
    // A file of another project is reported on alone.
    let (c, d) = (address(&outside.path("c.cu")), address(&outside.path("d.cu")));
    editor.open(&c, "cuda-cpp", HANG);
    editor.checked();
    assert_eq!(editor.codes(&c), ["CL102"]);
    assert!(!editor.shown.contains_key(&d));
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": c}}));
    editor.checked();
    assert_eq!(editor.codes(&c), [""; 0]);
    // Saved nowhere.
    editor.open("untitled:Untitled-1", "cuda-cpp", HANG);
    editor.checked();
    assert_eq!(editor.codes("untitled:Untitled-1"), ["CL102"]);
    editor.open("untitled:Untitled-2", "python", HANG);
    editor.checked();
    assert!(!editor.shown.contains_key("untitled:Untitled-2"));
    editor.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "untitled:Untitled-1"}}),
    );
    editor.checked();
    assert_eq!(editor.codes("untitled:Untitled-1"), [""; 0]);
    // Not saved yet, in a folder.
    let new = address(&first.path("new.cu"));
    editor.open(&new, "cuda-cpp", HANG);
    editor.checked();
    assert_eq!(editor.codes(&new), ["CL102"]);
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn a_picture_is_drawn_for_who_asks() {
    let project = Project::new(&[("a.cu", HANG)]);
    let mut editor = Editor::new(project.root());
    let uri = address(&project.path("a.cu"));
    let diagnostic = editor.shown[&uri][0].clone();
    let position = diagnostic["range"]["start"].clone();
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    let at = editor.request("cudalint/picture", params).expect("there is one");
    let svg = at["svg"].as_str().expect("it is drawn");
    assert!(svg.starts_with("<svg") && svg.contains("await_gate"), "{svg}");
    assert_eq!(at["finding"]["code"], "CL102");
    assert!(
        at["finding"]["picture"]["lanes"]
            .as_array()
            .is_some_and(|it| it.len() > 1)
    );
    let arguments = json!([{"uri": uri, "fingerprint": diagnostic["data"]["fingerprint"]}]);
    let params = json!({"command": "cudalint/picture", "arguments": arguments});
    assert_eq!(editor.request("workspace/executeCommand", params), Ok(at));
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.request("cudalint/picture", params), Ok(Value::Null));
    let wrong = editor.request("cudalint/picture", json!({"textDocument": {"uri": uri}}));
    assert_eq!(wrong.expect_err("it says nothing")["code"], -32602);
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn hints_are_shown_to_who_wants_them() {
    let again = "__global__ void k() {}\nint main() {\n  k<<<1, 1>>>();\n  k<<<1, 1>>>();\n  cudaDeviceSynchronize();\n}\n";
    let project = Project::new(&[("a.cu", again)]);
    let uri = address(&project.path("a.cu"));
    let all = json!([[2, "first launch of k"], [4, "waits for the device"]]);
    for (options, wanted) in [(json!({}), json!([])), (json!({"hints": true}), all)] {
        let (mut editor, _) = Editor::with(&[project.root()], abilities(), options);
        editor.open(&uri, "cuda-cpp", again);
        editor.checked();
        let params = json!({"textDocument": {"uri": uri}, "range": whole()});
        let hints = editor
            .request("textDocument/inlayHint", params)
            .expect("there is a list");
        let hints = hints.as_array().expect("it is a list").iter();
        let shown: Vec<Value> = hints
            .map(|it| json!([it["position"]["line"], it["label"]]))
            .collect();
        assert_eq!(json!(shown), wanted);
    }
}

#[test]
fn progress_is_told_to_who_shows_it() {
    let project = Project::new(&[("a.cu", QUIET)]);
    let mut can = abilities();
    can["window"] = json!({"workDoneProgress": true});
    let (mut editor, _) = Editor::with(&[project.root()], can, json!({}));
    let made = editor.wait_for(|it| it["method"] == "window/workDoneProgress/create");
    let token = made["params"]["token"].clone();
    for kind in ["begin", "end"] {
        editor.wait_for(|it| it["params"]["token"] == token && it["params"]["value"]["kind"] == kind);
    }
    editor.checked();
    assert_eq!(editor.leave().0, Some(0));
}

#[test]
fn nonsense_is_answered_and_does_no_harm() {
    let project = Project::new(&[("a.cu", HANG)]);
    let mut editor = Editor::silent();
    let early = editor.request("textDocument/hover", json!({}));
    assert_eq!(early.expect_err("it comes too early")["code"], -32002);
    drop(editor);

    let mut editor = Editor::new(project.root());
    editor.send_bytes(b"Content-Length: 5\r\n\r\n{nope");
    let answer = editor.wait_for(|it| it["id"].is_null() && it.get("error").is_some());
    assert_eq!(answer["error"]["code"], -32700);
    for message in [json!([]), json!({"id": {}}), json!({"jsonrpc": "2.0"}), json!(7)] {
        editor.send(&message);
        let answer = editor.wait_for(|it| it["id"].is_null() && it.get("error").is_some());
        assert_eq!(answer["error"]["code"], -32600, "{message}");
    }
    let unknown = editor.request("textDocument/rename", json!({}));
    assert_eq!(unknown.expect_err("it is not known")["code"], -32601);
    for method in [
        "textDocument/hover",
        "textDocument/codeAction",
        "textDocument/inlayHint",
    ] {
        let wrong = editor.request(method, json!({"range": 1, "position": []}));
        assert_eq!(wrong.expect_err("nothing is right")["code"], -32602, "{method}");
    }
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "workspace/didChangeWatchedFiles",
    ] {
        editor.notify(
            method,
            json!({"textDocument": 7, "contentChanges": {"x": 1}, "changes": "x"}),
        );
        editor.notify(method, Value::Null);
    }
    editor.notify("workspace/didChangeWorkspaceFolders", json!([]));
    editor.notify("$/nothing", json!(1));
    let uri = address(&project.path("a.cu"));
    editor.open(&uri, "cuda-cpp", "");
    let far = json!({"start": {"line": 4_000_000_000u32, "character": 4_000_000_000u32}, "end": {"line": 0, "character": 0}});
    let changes = json!([{"range": far, "text": HANG}]);
    let params = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes});
    editor.notify("textDocument/didChange", params);
    let (code, said) = editor.leave();
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn the_exit_code_says_how_a_conversation_ended() {
    let mut gone = Editor::silent();
    assert_eq!(gone.ended(), (Some(1), String::new()));

    let mut rude = Editor::silent();
    rude.notify("exit", Value::Null);
    assert_eq!(rude.ended().0, Some(1));

    let mut late = Editor::silent();
    late.request("initialize", json!({"capabilities": {}}))
        .expect("it starts");
    late.request("shutdown", Value::Null).expect("it ends");
    let after = late.request("textDocument/hover", json!({}));
    assert_eq!(after.expect_err("it is over")["code"], -32600);
    assert_eq!(late.ended().0, Some(0));

    let mut broken = Editor::silent();
    broken.send_bytes(b"Content-Length: lots\r\n\r\n");
    let (code, said) = broken.ended();
    assert_eq!(code, Some(2));
    assert_eq!(said.lines().count(), 2, "an error and a hint: {said}");
    assert!(
        said.starts_with("error: `lots` is no length of a message\n"),
        "{said}"
    );
}
