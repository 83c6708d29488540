//! The rewrites: each changes how a program is written and not what it does.

mod containers;
mod counters;
mod loops;
mod moves;
mod neighbour;
mod noise;
mod order;
mod rename;
mod state;
mod wrap;

use super::change::Change;
use super::code::Code;
use super::dice::Dice;

/// A way to write a program differently.
pub struct Rewrite {
    /// Its name.
    pub name: &'static str,
    /// Where it applies; elsewhere the program is skipped.
    pub applies: &'static str,
    /// The edit; `None` where it does not apply.
    pub edit: fn(&Code, &mut Dice) -> Option<Change>,
}

/// All of them.
pub const REWRITES: &[Rewrite] = &[
    Rewrite {
        name: "rename-everything",
        applies: "every program: names of locals, functions, kernels, types, members and macros; not `main`, and no member that a library looks for",
        edit: rename::everything,
    },
    Rewrite {
        name: "wrap-in-one-function",
        applies: "statements that call CUDA, launch or call a function of the program; parameters have their types where these are written",
        edit: wrap::in_one_function,
    },
    Rewrite {
        name: "wrap-in-twelve-functions",
        applies: "the same, twelve functions deep",
        edit: wrap::in_twelve_functions,
    },
    Rewrite {
        name: "wrap-in-macro",
        applies: "the same, as a macro's argument or as its body",
        edit: wrap::in_macro,
    },
    Rewrite {
        name: "wrap-in-lambda",
        applies: "the same, in a lambda called at once",
        edit: wrap::in_lambda,
    },
    Rewrite {
        name: "wrap-in-template",
        applies: "the same, in a function template that deduces every type",
        edit: wrap::in_template,
    },
    Rewrite {
        name: "wrap-in-callable",
        applies: "the same, as a lambda handed to a function template",
        edit: wrap::in_callable,
    },
    Rewrite {
        name: "wrap-in-class",
        applies: "the same, in a method of an object that holds references",
        edit: wrap::in_class,
    },
    Rewrite {
        name: "irrelevant-ternaries",
        applies: "host functions: between their statements",
        edit: noise::ternaries,
    },
    Rewrite {
        name: "irrelevant-ifs",
        applies: "the same",
        edit: noise::ifs,
    },
    Rewrite {
        name: "irrelevant-loops",
        applies: "the same",
        edit: noise::loops,
    },
    Rewrite {
        name: "calls-before",
        applies: "programs with a `main`: 700 CUDA calls without effect before all else",
        edit: noise::calls_before,
    },
    Rewrite {
        name: "flip-comparisons",
        applies: "comparisons anywhere, kernels included",
        edit: order::flip_comparisons,
    },
    Rewrite {
        name: "reorder-declarations",
        applies: "neighbouring functions, declarations of handles, pointers and numbers, and names in one declaration",
        edit: order::reorder_declarations,
    },
    Rewrite {
        name: "unsigned-counters",
        applies: "`int` variables and fields that start at a number, only grow and meet nothing negative",
        edit: counters::unsigned,
    },
    Rewrite {
        name: "for-to-while",
        applies: "`for` loops without `continue`, kernels included",
        edit: loops::to_while,
    },
    Rewrite {
        name: "loops-to-do",
        applies: "`for` loops without `continue` and `while` loops, kernels included, as a guarded `do`",
        edit: loops::to_do,
    },
    Rewrite {
        name: "for-to-range-for",
        applies: "host loops from 0 to a constant whose counter the body leaves alone",
        edit: loops::to_range_for,
    },
    Rewrite {
        name: "for-to-for-each",
        applies: "the same, where nothing leaves the body",
        edit: loops::to_for_each,
    },
    Rewrite {
        name: "loops-to-iterators",
        applies: "the same loops, and range-for over a name",
        edit: loops::to_iterators,
    },
    Rewrite {
        name: "move-to-header",
        applies: "functions and kernels at the top of a file",
        edit: moves::to_header,
    },
    Rewrite {
        name: "move-to-file",
        applies: "programs of one source that can be declared apart: a host function",
        edit: moves::to_file,
    },
    Rewrite {
        name: "split-in-two-units",
        applies: "the same: all device code, or all host functions but `main`",
        edit: moves::split_units,
    },
    Rewrite {
        name: "own-vector",
        applies: "programs with `std::vector`",
        edit: containers::own_vector,
    },
    Rewrite {
        name: "own-unique-ptr",
        applies: "programs with `std::unique_ptr`",
        edit: containers::own_unique_ptr,
    },
    Rewrite {
        name: "state-by-assignment",
        applies: "functions with handles, pointers or numbers that a copy can stand for",
        edit: state::by_assignment,
    },
    Rewrite {
        name: "state-by-memcpy",
        applies: "the same",
        edit: state::by_memcpy,
    },
    Rewrite {
        name: "state-by-return",
        applies: "the same",
        edit: state::by_return,
    },
    Rewrite {
        name: "state-by-move",
        applies: "the same",
        edit: state::by_move,
    },
    Rewrite {
        name: "state-by-optional",
        applies: "the same",
        edit: state::by_optional,
    },
    Rewrite {
        name: "state-by-tuple",
        applies: "the same",
        edit: state::by_tuple,
    },
    Rewrite {
        name: "unrelated-program",
        applies: "programs with functions or classes",
        edit: neighbour::program,
    },
];
