//! Metamorphic tests: programs rewritten so that they do the same, and whether the rules still say the same of them.
//!
//! A rewrite edits the original bytes by the syntax tree of the masked text; the edit remembers which bytes of the variant stand
//! for which of the program, so that a finding in the variant has a place in the program. Rule, severity, confidence and the
//! statement that is marked must be what they are without the rewrite.

pub mod change;
pub mod code;
pub mod dice;
pub mod measure;
pub mod programs;
pub mod rewrites;
pub mod sample;
pub mod scope;
