//! The `cudalint` command.

fn main() {}
