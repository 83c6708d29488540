//! Trees to facts.
