//! What has nothing to do with anything: ternaries, ifs, loops, and 700 CUDA calls.

use super::super::change::Change;
use super::super::code::{Code, Function, children, descendants};
use super::super::dice::Dice;

/// Calls that neither make a context, nor wait, nor change anything.
const CALLS: [&str; 5] = [
    "cudaGetDevice(&spare_device);",
    "cudaRuntimeGetVersion(&spare_version);",
    "cudaDriverGetVersion(&spare_version);",
    "cudaPeekAtLastError();",
    "cudaGetDeviceCount(&spare_version);",
];

/// Ternaries between statements.
pub fn ternaries(code: &Code, dice: &mut Dice) -> Option<Change> {
    between_statements(code, dice, |number, opaque| {
        format!("{{ int spare_{number} = {opaque}() > 2 ? 4 : 5; (void)spare_{number}; }}")
    })
}

/// Ifs between statements.
pub fn ifs(code: &Code, dice: &mut Dice) -> Option<Change> {
    between_statements(code, dice, |number, opaque| {
        format!(
            "{{ int spare_{number} = {number}; if ({opaque}() > 7) {{ spare_{number} += 2; }} else {{ --spare_{number}; }} (void)spare_{number}; }}"
        )
    })
}

/// Loops between statements.
pub fn loops(code: &Code, dice: &mut Dice) -> Option<Change> {
    between_statements(code, dice, |number, opaque| {
        format!(
            "{{ int spare_{number} = 0; for (int turn = 0; turn < {opaque}(); ++turn) {{ spare_{number} += turn; }} (void)spare_{number}; }}"
        )
    })
}

/// 700 CUDA calls at the start of `main`, one after another or in functions of a hundred each. Events are made and destroyed among
/// them where nothing is timed: they may create the context.
pub fn calls_before(code: &Code, dice: &mut Dice) -> Option<Change> {
    let main = main_function(code)?;
    let unit = &code.units[main.unit];
    let timed = [
        "chrono",
        "clock",
        "ElapsedTime",
        "gettimeofday",
        "omp_get_wtime",
        "MPI_Wtime",
    ];
    let sets_up = [
        "setenv",
        "cudaSetDeviceFlags",
        "cudaInitDevice",
        "cuInit",
        "fork(",
    ];
    let with_events = !timed.iter().chain(&sets_up).any(|it| code.mentions(it));
    let head = "int spare_device = 0, spare_version = 0; (void)spare_device; (void)spare_version;";
    let line = |number: usize| {
        if with_events && number % 7 == 6 {
            format!(
                "{{ cudaEvent_t spare_{number}; cudaEventCreate(&spare_{number}); cudaEventDestroy(spare_{number}); }}\n"
            )
        } else {
            format!("{}\n", CALLS[number % CALLS.len()])
        }
    };
    let mut change = Change::default();
    let inside = main.body.start_byte() + 1;
    if dice.flip() {
        let text: String = (0..700).map(line).collect();
        change.insert(main.unit, inside, format!(" {head}\n{text}"));
    } else {
        let functions: String = (0..7)
            .map(|part| {
                let text: String = (part * 100..part * 100 + 100).map(line).collect();
                format!("static void spare_calls_{part}() {{\n{head}\n{text}}}\n")
            })
            .collect();
        change.insert(main.unit, unit.start_with_qualifiers(main.outer), functions);
        let calls: String = (0..7).map(|part| format!(" spare_calls_{part}();")).collect();
        change.insert(main.unit, inside, calls);
    }
    Some(change)
}

/// `main`.
pub fn main_function(code: &Code) -> Option<Function<'_>> {
    code.functions()
        .into_iter()
        .find(|it| it.name == "main" && it.is_at_top())
}

/// Inserts a block between the statements of host functions, at most 40 of them.
fn between_statements(code: &Code, dice: &mut Dice, block: fn(usize, &str) -> String) -> Option<Change> {
    let mut change = Change::default();
    let mut places = Vec::new();
    for function in code
        .functions()
        .iter()
        .filter(|it| it.is_host && !is_constant(code, it))
    {
        let nested = |at: usize| {
            code.functions().iter().any(|it| {
                it.unit == function.unit
                    && it.node.start_byte() > function.node.start_byte()
                    && it.node.byte_range().contains(&at)
            })
        };
        for compound in descendants(function.body) {
            if compound.kind() != "compound_statement" || compound.has_error() {
                continue;
            }
            for statement in children(compound) {
                let at = statement.start_byte();
                let is_plain = matches!(
                    statement.kind(),
                    "expression_statement"
                        | "declaration"
                        | "for_statement"
                        | "while_statement"
                        | "if_statement"
                        | "return_statement"
                );
                if is_plain && !nested(at) {
                    places.push((function.unit, at));
                }
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    while places.len() > 40 {
        let index = dice.below(places.len());
        places.remove(index);
    }
    for (number, (unit, at)) in places.iter().enumerate() {
        change.insert(
            *unit,
            *at,
            format!("{} ", block(number, &format!("opaque_{unit}"))),
        );
    }
    for (number, unit) in code.units.iter().enumerate() {
        if places.iter().any(|it| it.0 == number) {
            let at = unit.after_includes().unwrap_or(0);
            let text = format!(
                "static inline int opaque_{number}() {{ static volatile int word = 3; return word; }}\n"
            );
            change.insert(number, at, text);
        }
    }
    (!places.is_empty()).then_some(change)
}

fn is_constant(code: &Code, function: &Function<'_>) -> bool {
    let unit = &code.units[function.unit];
    let head = unit.slice(function.outer.start_byte()..function.body.start_byte());
    head.contains("constexpr") || head.contains("consteval")
}
