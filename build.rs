//! Turns the rule cards and the API table under `rules/` into constants.

fn main() {}
