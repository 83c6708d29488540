//! What the machine holds as known where a test asks for it; see [`Program::link_observing`](crate::program::Program::link_observing).

use super::Site;
use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use crate::syntax::Span;

/// One call of the observed function on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The call.
    pub site: Site,
    /// The value of its argument, where the path holds it as known.
    pub value: Option<i64>,
    /// Decisions at unknown conditions the path had taken by then.
    pub decisions: usize,
    /// Stands in a pass of a loop whose condition is unknown, or behind a side of a branch that left: it may not be.
    pub unsure: bool,
    /// The path rests on that some side of a branch is not taken, and no path takes it.
    pub assumed: bool,
}

impl Machine<'_> {
    pub(super) fn observe(&mut self, arguments: &[Argument], span: Span) -> Value {
        let value = match arguments {
            [only] => match only.value {
                Value::Int(value) => Some(value),
                _ => None,
            },
            _ => None,
        };
        let observation = Observation {
            site: self.site(span),
            value,
            decisions: self.next_decision,
            unsure: self.control.unsure > 0 || !self.control.departed.is_empty(),
            assumed: self.assumed || !self.control.departed.is_empty(),
        };
        self.trace.notes.observations.push(observation);
        self.memory.fresh()
    }
}
