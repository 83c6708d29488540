//! No program of this repository is followed less far than the committed table says, nor further without saying so.

#[expect(dead_code, reason = "marks of fixtures are compared elsewhere")]
mod harness;
#[path = "harness/numbers.rs"]
mod numbers;

use numbers::{Numbers, Row, measure, measure_one, sets, table, table_path, written};

const UPDATE: &str = "`cargo bench --bench numbers -- --write` writes the table anew";

#[test]
fn nothing_is_followed_less_far_than_the_table_says() {
    let table = table();
    let sets = sets();
    let mut wrong = Vec::new();
    for (name, programs) in &sets {
        let Some(committed) = table.get(name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        let now = measure(programs).row();
        let (worse, better) = now.against(committed);
        wrong.extend(worse.iter().map(|it| format!("{name}: worse: {it}")));
        wrong.extend(better.iter().map(|it| format!("{name}: better, so say so: {it}")));
    }
    let gone = table.keys().filter(|it| !sets.contains_key(*it));
    wrong.extend(gone.map(|it| format!("{it} is in the table and nowhere else")));
    assert!(wrong.is_empty(), "{}\n{UPDATE}", wrong.join("\n"));
}

#[test]
fn the_table_is_as_it_would_be_written() {
    let text = std::fs::read_to_string(table_path()).expect("the table is committed");
    assert_eq!(written(&table()), text, "{UPDATE}");
}

#[test]
fn what_is_lost_is_compared_both_ways() {
    let committed = Row {
        programs: 3,
        entry_points: 10,
        cut: 2,
        cuda_calls: 100,
        unreached: 5,
        calls: 50,
        not_followed: 0,
        assumptions_per_100_findings: 40,
    };
    let now = Row {
        cut: 3,
        unreached: 4,
        assumptions_per_100_findings: 42,
        ..committed.clone()
    };
    let (worse, better) = now.against(&committed);
    assert_eq!(worse, ["entry points cut: 2 → 3"]);
    assert_eq!(better, ["CUDA calls unreached: 5 → 4"]);
}

/// What a program comes to that is this one file.
fn numbers_of(name: &str, text: &str) -> Numbers {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests can be written to");
    measure_one(&path)
}

const WHOLE: &str = "
__global__ void work(int *out) { *out = 1; }
static void launch(int *out, cudaStream_t stream) { work<<<1, 1, 0, stream>>>(out); }
int main() {
    int *out;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&out, 4);
    launch(out, stream);
    cudaStreamSynchronize(stream);
}
";

#[test]
fn a_program_without_surprises_is_followed_to_its_end() {
    let row = numbers_of("numbers-whole.cu", WHOLE).row();
    let lost = (row.cut, row.unreached, row.not_followed);
    assert_eq!(lost, (0, 0, 0), "{row:?}");
    assert_eq!((row.entry_points, row.cuda_calls, row.calls), (1, 4, 1));
}

#[test]
fn what_no_path_reaches_is_counted_with_its_reason() {
    let more = "
    auto never = [&] { cudaDeviceSynchronize(); };
    if (false) cudaStreamDestroy(stream);
}
int never_called() { return cudaDeviceReset(); }
";
    let text = format!("{}{more}", WHOLE.trim_end().trim_end_matches('}'));
    let numbers = numbers_of("numbers-unreached.cu", &text);
    assert_eq!(numbers.row().unreached, 2, "{:?}", numbers.counters);
    // What nobody calls is an entry point in the end.
    for (reason, count) in [
        ("in a lambda", 1),
        ("on a side not taken", 1),
        ("no entry point leads there", 0),
    ] {
        let name = format!("CUDA calls not executed: {reason}");
        assert_eq!(numbers.count(&name), count, "{reason}: {:?}", numbers.counters);
    }
}

#[test]
fn calls_that_are_too_deep_cut_an_entry_point() {
    let mut text = String::from(
        "int n;\nvoid count() { n++; }\nvoid f0(cudaStream_t s) { cudaStreamSynchronize(s); }\n",
    );
    for depth in 1..=20 {
        let below = depth - 1;
        text.push_str(&format!(
            "void f{depth}(cudaStream_t s) {{ count(); f{below}(s); }}\n"
        ));
    }
    text.push_str("int main() { cudaStream_t s; cudaStreamCreate(&s); f20(s); }\n");
    let numbers = numbers_of("numbers-deep.cu", &text);
    let row = numbers.row();
    // What is out of reach from `main` is reached from further down.
    assert_eq!((row.cut, row.unreached), (2, 0), "{:?}", numbers.counters);
    assert_eq!(numbers.count("entry points cut by the depth of calls"), 2);
}
