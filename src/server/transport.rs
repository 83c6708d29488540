//! Messages in and out: JSON-RPC 2.0 with a length before each, as editors speak it over standard input and output.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

/// Longer messages are no messages.
const MOST_BYTES: usize = 256 << 20;
/// Longer headers are none.
const MOST_HEADER_BYTES: u64 = 8 << 10;

/// Codes of errors, from JSON-RPC and the protocol.
pub(super) mod code {
    pub const PARSE: i64 = -32700;
    pub const INVALID_REQUEST: i64 = -32600;
    pub const UNKNOWN_METHOD: i64 = -32601;
    pub const INVALID_PARAMS: i64 = -32602;
    pub const NOT_INITIALIZED: i64 = -32002;
    pub const CANCELLED: i64 = -32800;
    pub const CONTENT_MODIFIED: i64 = -32801;
    pub const FAILED: i64 = -32803;
}

/// What the client says.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// An answer to a request of the server: `Err` is the message of the error.
    Response {
        id: Value,
        result: Result<Value, String>,
    },
    /// A message that says nothing; the next one may.
    Malformed {
        id: Value,
        code: i64,
        problem: String,
    },
    /// What comes is no sequence of messages, and nothing after it can be read.
    Broken(String),
    /// The client has closed its end.
    End,
}

/// Reads one message.
pub(super) fn read(from: &mut impl BufRead) -> Incoming {
    match body(from) {
        Ok(None) => Incoming::End,
        Ok(Some(bytes)) => message(&bytes),
        Err(problem) => Incoming::Broken(problem),
    }
}

/// The bytes of the next message.
fn body(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut length: Option<usize> = None;
    let mut begun = false;
    loop {
        let mut line = Vec::new();
        let read = from.take(MOST_HEADER_BYTES).read_until(b'\n', &mut line);
        read.map_err(|error| format!("standard input cannot be read: {error}"))?;
        if line.is_empty() {
            return match begun {
                true => Err("standard input ends inside of a header".to_owned()),
                false => Ok(None),
            };
        }
        if !line.ends_with(b"\n") {
            return Err("the header of a message is no line of text".to_owned());
        }
        begun = true;
        let text = String::from_utf8_lossy(line.trim_ascii_end());
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            return Err(format!("`{}` is no header of a message", clip(&text)));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            let number = value.parse().ok().filter(|it| *it <= MOST_BYTES);
            length = Some(number.ok_or_else(|| format!("`{}` is no length of a message", clip(value)))?);
        }
    }
    let length = length.ok_or("a message has no `Content-Length`")?;
    // Memory is taken as bytes come, not as they are promised.
    let mut bytes = Vec::new();
    let read = from.take(length as u64).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input cannot be read: {error}"))?;
    match bytes.len() == length {
        true => Ok(Some(bytes)),
        false => Err("standard input ends inside of a message".to_owned()),
    }
}

fn clip(text: &str) -> String {
    text.chars().take(60).filter(|it| !it.is_control()).collect()
}

fn message(bytes: &[u8]) -> Incoming {
    let malformed = |code: i64, problem: String| Incoming::Malformed {
        id: Value::Null,
        code,
        problem,
    };
    let mut value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return malformed(code::PARSE, format!("the message is no JSON: {error}")),
    };
    let Some(object) = value.as_object_mut() else {
        return malformed(code::INVALID_REQUEST, "the message is no object".to_owned());
    };
    let id = object.remove("id").filter(|it| !it.is_null());
    let params = object.remove("params").unwrap_or_default();
    match (object.remove("method"), id) {
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (Some(Value::String(method)), Some(id)) if id.is_number() || id.is_string() => {
            Incoming::Request { id, method, params }
        }
        (None, Some(id)) if object.contains_key("result") || object.contains_key("error") => {
            let result = match object.remove("error").filter(|it| !it.is_null()) {
                Some(error) => Err(error["message"].as_str().unwrap_or("unknown error").to_owned()),
                None => Ok(object.remove("result").unwrap_or_default()),
            };
            Incoming::Response { id, result }
        }
        (_, id) => Incoming::Malformed {
            id: id
                .filter(|it| it.is_number() || it.is_string())
                .unwrap_or_default(),
            code: code::INVALID_REQUEST,
            problem: "the message is no request, notification or response".to_owned(),
        },
    }
}

/// Writes one message.
pub(super) fn write(to: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    to.flush()
}

/// What is said to the client, from any thread, in the order in which it is said.
#[derive(Clone)]
pub(super) struct Client(pub Sender<Value>);

impl Client {
    /// A client that went away is found out by the reader.
    fn send(&self, message: Value) {
        let _ = self.0.send(message);
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn request(&self, id: &str, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    pub fn answer(&self, id: Value, answer: Result<Value, Problem>) {
        self.send(match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(Problem { code, message }) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        });
    }

    /// A line in the editor's log.
    pub fn log(&self, text: &str) {
        self.notify("window/logMessage", json!({"type": 4, "message": text}));
    }

    /// A message that the user sees.
    pub fn show(&self, text: &str) {
        self.notify("window/showMessage", json!({"type": 1, "message": text}));
    }
}

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Problem {
    pub code: i64,
    pub message: String,
}

impl Problem {
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Problem {
            code,
            message: message.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{text}", text.len()).into_bytes()
    }

    #[test]
    fn messages_are_told_apart() {
        let request = framed(r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#);
        assert!(matches!(read(&mut &*request), Incoming::Request { method, .. } if method == "shutdown"));
        let notification = framed(r#"{"method":"exit"}"#);
        assert!(
            matches!(read(&mut &*notification), Incoming::Notification { method, .. } if method == "exit")
        );
        let response = framed(r#"{"id":"a","result":null}"#);
        assert!(matches!(
            read(&mut &*response),
            Incoming::Response {
                result: Ok(Value::Null),
                ..
            }
        ));
    }

    #[test]
    fn nonsense_in_a_message_costs_that_message() {
        for text in [
            "{",
            "[]",
            "1",
            "{}",
            r#"{"id":{},"method":"x"}"#,
            r#"{"id":1,"method":2}"#,
            "\u{0}",
        ] {
            let bytes = [framed(text), framed(r#"{"method":"exit"}"#)].concat();
            let mut from = &*bytes;
            assert!(matches!(read(&mut from), Incoming::Malformed { .. }), "{text}");
            assert!(matches!(read(&mut from), Incoming::Notification { .. }), "{text}");
            assert_eq!(read(&mut from), Incoming::End);
        }
    }

    #[test]
    fn what_is_no_message_ends_the_conversation() {
        for text in [
            "hello\r\n\r\n",
            "\r\n\r\n",
            "Content-Length: 18446744073709551616\r\n\r\n",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 9\r\n\r\n{}",
            "Content-Length: 9",
        ] {
            assert!(
                matches!(read(&mut text.as_bytes()), Incoming::Broken(_)),
                "{text}"
            );
        }
    }
}
