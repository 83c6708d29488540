//! An editor without a screen: it speaks with the real server over its standard input and output, and applies edits.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any answer takes, even unoptimised on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A running server and what it said.
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    waiting: VecDeque<Value>,
    next: i64,
    /// The last diagnostics of every file.
    pub shown: BTreeMap<String, Vec<Value>>,
    /// How often diagnostics came.
    pub published: usize,
}

/// What a usual client can do.
pub fn abilities() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true, "versionSupport": true, "tagSupport": {"valueSet": [1, 2]},
                "codeDescriptionSupport": true,
            },
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
                "resolveSupport": {"properties": ["edit"]}, "dataSupport": true,
            },
            "hover": {"contentFormat": ["markdown", "plaintext"]},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true}},
    })
}

/// The address of a path without characters that would have to be written otherwise.
pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Editor {
    /// Starts the server and says nothing yet.
    pub fn silent() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cudalint"))
            .arg("server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let output = child.stdout.take().expect("it is piped");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor {
            input: child.stdin.take(),
            child,
            messages,
            waiting: VecDeque::new(),
            next: 0,
            shown: BTreeMap::new(),
            published: 0,
        }
    }

    /// Starts the server in folders, with these abilities and options; the answer to `initialize`, too.
    pub fn with(folders: &[&Path], abilities: Value, options: Value) -> (Self, Value) {
        let mut editor = Editor::silent();
        let folders: Vec<Value> = folders
            .iter()
            .map(|it| json!({"uri": address(it), "name": "folder"}))
            .collect();
        let answer = editor.request(
            "initialize",
            json!({
                "processId": null, "rootUri": null, "capabilities": abilities,
                "workspaceFolders": folders, "initializationOptions": options,
            }),
        );
        editor.notify("initialized", json!({}));
        (editor, answer.expect("the server starts"))
    }

    /// Starts the server as a usual client in one folder, without a pause after edits, and waits for the first check.
    pub fn new(folder: &Path) -> Self {
        let (mut editor, _) = Editor::with(&[folder], abilities(), json!({"debounce": 0}));
        editor.checked();
        editor
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its answer: a result, or an error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let answer = self.wait_for(|it| it["id"] == id && it.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Waits for a message; others stay for later.
    pub fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&is_it) {
            return self.waiting.remove(at).expect("it is there");
        }
        let end = Instant::now() + TIME_LIMIT;
        loop {
            let message = match self
                .messages
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => panic!("it never came; there is {:?}", self.waiting),
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended: {}", self.ended().1),
            };
            self.note(&message);
            if is_it(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    fn note(&mut self, message: &Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let file = params["uri"].as_str().expect("it has an address").to_owned();
            let diagnostics = params["diagnostics"].as_array().expect("they are a list").clone();
            self.shown.insert(file, diagnostics);
            self.published += 1;
        }
        // The client says yes to whatever the server asks for.
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
        }
    }

    /// Waits for the end of a check.
    pub fn checked(&mut self) {
        self.wait_for(|it| it["method"] == "$/cudalint/checked");
    }

    pub fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({"uri": uri, "version": version});
        let changes = json!([{"text": text}]);
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// The codes shown for a file.
    pub fn codes(&self, uri: &str) -> Vec<String> {
        let shown = self.shown.get(uri).into_iter().flatten();
        shown
            .map(|it| it["code"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    pub fn actions(&mut self, uri: &str, range: &Value, only: Option<&str>) -> Vec<Value> {
        let mut context = json!({"diagnostics": []});
        if let Some(only) = only {
            context["only"] = json!([only]);
        }
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        let actions = self
            .request("textDocument/codeAction", params)
            .expect("there is a list");
        actions.as_array().expect("it is a list").clone()
    }

    pub fn hover(&mut self, uri: &str, line: usize, character: usize) -> Value {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        self.request("textDocument/hover", params)
            .expect("it is answered")
    }

    /// Says good-bye; the exit code, and what stood on standard error.
    pub fn leave(mut self) -> (Option<i32>, String) {
        self.request("shutdown", Value::Null).expect("it ends");
        self.notify("exit", Value::Null);
        self.ended()
    }

    /// Closes the input and waits for the end.
    pub fn ended(&mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let end = Instant::now() + TIME_LIMIT;
        let status = loop {
            match self.child.try_wait().expect("it was started") {
                Some(status) => break status,
                None if Instant::now() > end => panic!("the server never ends"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let mut said = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut said);
        }
        (status.code(), said)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("it is a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("it is JSON"))
}

/// The text after the edits of one file in an action.
pub fn applied(text: &str, action: &Value, uri: &str) -> String {
    let changes = action["edit"]["documentChanges"]
        .as_array()
        .expect("there are changes");
    let change = changes
        .iter()
        .find(|it| it["textDocument"]["uri"] == uri)
        .expect("one is of the file");
    let edits = change["edits"].as_array().expect("there are edits");
    let place = |position: &Value| {
        let line = position["line"].as_u64().expect("a number") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut left = position["character"].as_u64().expect("a number") as usize;
        let letters = text[start..].chars().take_while(|letter| {
            let goes_on = left > 0;
            left = left.saturating_sub(letter.len_utf16());
            goes_on
        });
        start + letters.map(char::len_utf8).sum::<usize>()
    };
    let spans = edits
        .iter()
        .map(|it| (place(&it["range"]["start"]), place(&it["range"]["end"]), it));
    let mut spans: Vec<_> = spans.collect();
    spans.sort_by_key(|it| std::cmp::Reverse((it.0, it.1)));
    let mut text = text.to_owned();
    for (start, end, edit) in spans {
        text.replace_range(start..end, edit["newText"].as_str().expect("there is a text"));
    }
    text
}
