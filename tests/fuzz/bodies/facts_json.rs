//! Facts to JSON and back: what a cache keeps must be what was read, with every place inside the file.

use cudalint::facts::{FileFacts, extract};
use cudalint::syntax::{Defines, MacroTable, collect_macros};
use serde_json::Value;

/// Reads the bytes as one source file, writes its facts and reads them back.
pub fn run(bytes: &[u8]) {
    let mut table = MacroTable::default();
    table.merge(collect_macros(bytes));
    let facts = extract(bytes, &Defines::for_cuda(13_000), &table);
    let written = facts.to_json().expect("facts can be written");
    let read = FileFacts::from_json(&written).expect("what was written can be read");
    assert!(read == facts, "facts change on the way through JSON");
    assert_eq!(read.to_json().expect("facts can be written"), written);

    let mut reader = serde_json::Deserializer::from_slice(&written);
    reader.disable_recursion_limit();
    let value: Value = serde::Deserialize::deserialize(&mut reader).expect("it is JSON");
    check_spans(&value, bytes.len() as u64);
}

/// Every object that looks like a span is one, and inside the file.
fn check_spans(value: &Value, length: u64) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| check_spans(it, length)),
        Value::Object(fields) => {
            if let (2, Some(start), Some(end)) = (fields.len(), fields.get("start"), fields.get("end")) {
                let (start, end) = (start.as_u64(), end.as_u64());
                assert!(
                    start <= end && end <= Some(length),
                    "{start:?} to {end:?} of {length}"
                );
            }
            fields.values().for_each(|it| check_spans(it, length));
        }
        _ => {}
    }
}
