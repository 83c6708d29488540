//! The language server: open documents checked with the project around them while they are edited.
//!
//! One thread reads, one writes, one checks; the one that answers owns everything and waits for nobody. What is asked
//! for is answered from the last check, as far as that was about the documents as they are.

mod actions;
mod checker;
mod documents;
mod hints;
mod hover;
mod lifecycle;
mod notifications;
mod picture;
mod position;
mod published;
mod requests;
mod settings;
mod target;
mod transport;
mod uri;

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;

use checker::{Answered, Fixes, Shape};
use documents::Documents;
use lifecycle::Server;
use target::Answer;
use transport::{Client, Incoming};

/// How a conversation ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Clean,
    /// The client left without saying that it would.
    Abrupt,
    /// What came could not be read as messages, and why.
    Broken(String),
}

/// What the thread that answers is told.
enum Event {
    Incoming(Incoming),
    /// A part of a check is over.
    Answered {
        number: u64,
        target: String,
        answer: Answered,
    },
    /// What is found in edited documents, while the rest is still looked for.
    First {
        number: u64,
        target: String,
        answer: Box<Answer>,
        paths: BTreeSet<PathBuf>,
    },
    /// A check is over.
    Done {
        number: u64,
    },
    /// A request for fixes can be answered, about these documents.
    Fixed {
        id: Value,
        shape: Shape,
        documents: Documents,
        fixes: Fixes,
    },
}

/// Talks with a client until it leaves.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<Ending> {
    let (events, told) = channel();
    let (messages, to_write) = channel();
    let own = events.clone();
    let reader = move || read(input, &own);
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(reader)?;
    let writer = move || write(output, &to_write);
    let writer = std::thread::Builder::new()
        .name("writer".to_owned())
        .spawn(writer)?;
    let ending = Server::new(events, Client(messages.clone())).run(&told);
    // Nothing is `null` but the end.
    let _ = messages.send(Value::Null);
    let _ = writer.join();
    Ok(ending)
}

/// Reads until there is nothing more.
fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let incoming = transport::read(&mut input);
        let is_last = match &incoming {
            Incoming::End | Incoming::Broken(_) => true,
            Incoming::Notification { method, .. } => method == "exit",
            _ => false,
        };
        if events.send(Event::Incoming(incoming)).is_err() || is_last {
            return;
        }
    }
}

/// Writes until the end; a client that reads no more will be found to have left.
fn write(mut output: impl Write, messages: &Receiver<Value>) {
    for message in messages.iter().take_while(|it| !it.is_null()) {
        if transport::write(&mut output, &message).is_err() {
            return;
        }
    }
}
