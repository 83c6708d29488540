//! What a client does, in words.

use super::Client;
use crate::program::{FunctionId, Program};

impl Client {
    /// What it does, as an assumption.
    pub(super) fn told(&self, program: &Program) -> String {
        let named = |ids: &[FunctionId]| {
            let names = ids.iter().filter_map(|it| program.function(*it).path.last());
            let names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        let often = match (self.again, self.changes_stream) {
            (false, _) => "once",
            (true, false) if self.scarce => {
                "again and again, each time with other numbers, of an object made with small ones"
            }
            (true, false) if !self.repeats.is_empty() => {
                "again and again, what does not wait several times in a row"
            }
            (true, false) => "again and again",
            (true, true) => "again and again, every other time in another stream",
        };
        let done = match (self.records(), self.pair) {
            (true, _) => format!(
                "records {} into a graph, twice each, as the comment there allows",
                named(&self.records)
            ),
            (false, true) => format!(
                "has two of them, and calls {} of each in {}",
                named(&self.uses),
                match self.in_one_stream {
                    true => "one stream",
                    false => "a stream of its own",
                }
            ),
            (false, false) => format!("calls {} {often}", named(&self.uses)),
        };
        match (self.opens.is_empty(), self.builds.is_empty()) {
            (true, true) => format!("a client {done}"),
            (false, true) => format!("a client calls {} first, then {done}", named(&self.opens)),
            (true, false) => format!("a client calls {} twice, then {done}", named(&self.builds)),
            (false, false) => format!(
                "a client calls {} first, {} twice, then {done}",
                named(&self.opens),
                named(&self.builds)
            ),
        }
    }
}
