//! Where a check begins: at every entry point, or at those that can concern the files somebody named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::super::{
    Options, Outcome, check_aimed, check_client, check_entry, check_promise, collect, is_about_fork,
    work_outside_given_stream,
};
use super::unreached::{Reached, may_begin};
use crate::diagnostics::{Finding, Location};
use crate::program::{FileId, FunctionId, Program};
use crate::trace::Effort;

/// Runs every rule over every entry point.
pub fn check(program: &Program, options: &Options) -> Outcome {
    check_with(program, options, None, &|_, entries, check| {
        entries.par_iter().map(|it| check(*it)).collect()
    })
}

/// The same where `each` runs a check over all of some functions; for `named` files, only what can show a finding with a step in
/// one of them is looked at.
pub fn check_with(
    program: &Program,
    options: &Options,
    named: Option<&BTreeSet<FileId>>,
    each: Each<'_>,
) -> Outcome {
    let Some(named) = named else {
        let parts = follow(program, options, &|_| true, each);
        return collect(program, None, parts, options.statistics);
    };
    let paths: BTreeMap<&str, FileId> = (0..program.units().len())
        .map(|it| FileId(it as u32))
        .filter(|it| program.base_of(*it) == *it)
        .map(|it| (&*program.unit(it).path, it))
        .collect();
    let file = |it: &Location| paths.get(&*it.path).copied();
    let known = RefCell::new(BTreeMap::new());
    let once = |round: Round, entries: &[FunctionId], check: &(dyn Fn(FunctionId) -> Outcome + Sync)| {
        let mut known = known.borrow_mut();
        let new: Vec<FunctionId> = entries
            .iter()
            .filter(|it| !known.contains_key(&(round, **it)))
            .copied()
            .collect();
        for part in each(round, &new, check) {
            known.extend(part.entry.map(|entry| ((round, entry), part)));
        }
        let known = entries.iter().filter_map(|it| known.get(&(round, *it)).cloned());
        known.collect()
    };
    let mut files = named.clone();
    loop {
        let leading = program.leading_to(&files);
        let parts = follow(program, options, &|it| program.leads(&leading, it), &once);
        let outcome = collect(program, Some(named), parts, options.statistics);
        // Of what is said of one place by several the best is kept, and that may be said without a step in a named file.
        let in_named = |it: &&Finding| it.locations().filter_map(file).any(|it| named.contains(&it));
        let places = outcome.findings.iter().filter(in_named);
        let further: Vec<FileId> = places.filter_map(|it| file(&it.primary)).collect();
        let before = files.len();
        files.extend(further);
        if files.len() == before {
            return outcome;
        }
    }
}

/// Checks entry points that `leads` holds of.
///
/// What no path went through is an entry point then: first those of it that nothing else of it calls, then whatever
/// still makes CUDA calls that nothing executed. So is what holds a defect that a condition decides over which is lost on
/// the way there: whoever else calls it may decide the other way.
fn follow(
    program: &Program,
    options: &Options,
    leads: &dyn Fn(FunctionId) -> bool,
    each: Each<'_>,
) -> Vec<Outcome> {
    let mut entries = program.entry_points();
    entries.retain(|it| leads(*it));
    let one = |entry: FunctionId| check_entry(program, entry, Effort::of_entry(program, entry), options);
    let mut parts = each(Round::Entries, &entries, &one);
    let effort = Effort::of_unreached(program);
    let mut reached = Reached::default();
    reached.add(program, &parts);
    let mut further = reached.roots_of_unreached(program);
    further.retain(|it| leads(*it));
    let add = |reached: &mut Reached, parts: &mut Vec<Outcome>, found: Vec<Outcome>| {
        reached.add(program, &found);
        parts.extend(found);
    };
    let check = |entry| check_entry(program, entry, effort, options);
    add(&mut reached, &mut parts, each(Round::Unreached, &further, &check));
    let done = entries.iter().chain(&further).copied().collect();
    let mut begun: BTreeSet<FunctionId> = further.into_iter().collect();
    let mut further = reached.holders_of_unreached(program, &done);
    further.retain(|it| leads(*it));
    let check = |entry| check_entry(program, entry, effort.fair(), options);
    add(&mut reached, &mut parts, each(Round::Holders, &further, &check));
    begun.extend(further);
    let folders = program.folders_of_mains();
    let mut further = reached.left_in(program, &folders);
    further.retain(|it| leads(*it));
    let check = |entry| check_aimed(program, entry, effort, options);
    add(&mut reached, &mut parts, each(Round::Aimed, &further, &check));
    begun.extend(further);
    let doubted: BTreeSet<FunctionId> = parts.iter().flat_map(|it| it.doubted.iter().copied()).collect();
    let is_open = |it: &FunctionId| {
        leads(*it)
            && !entries.contains(it)
            && !begun.contains(it)
            && may_begin(program, *it)
            && !reached.callers_are_seen(program, &folders, *it)
    };
    let doubted: Vec<FunctionId> = doubted.into_iter().filter(is_open).collect();
    add(&mut reached, &mut parts, each(Round::Doubted, &doubted, &check));
    begun.extend(doubted);
    // Whoever hands over the stream says of what kind it is.
    let is_kept = |it: FunctionId| reached.callers_are_known(program, &folders, it);
    for part in &mut parts {
        if part.entry.is_some_and(is_kept) {
            part.findings
                .retain(|it| it.code != work_outside_given_stream::CODE);
        }
    }
    let promises = program.promises().iter().copied().filter(|it| leads(*it));
    let promises =
        promises.filter(|it| !(begun.contains(it) || program.is_main_file(it.file) && is_kept(*it)));
    let promises: Vec<FunctionId> = promises.collect();
    let promise = |entry| {
        let mut outcome = check_promise(program, entry, options);
        if is_kept(entry) {
            outcome
                .findings
                .retain(|it| it.code != work_outside_given_stream::CODE);
        }
        if reached.callers_are_seen(program, &folders, entry) {
            outcome.findings.retain(|it| !is_about_fork(it));
        }
        outcome
    };
    parts.extend(each(Round::Promises, &promises, &promise));
    let is_open = |it: &FunctionId| leads(*it) && !reached.callers_are_seen(program, &folders, *it);
    let clients: Vec<FunctionId> = program.interfaces().into_iter().filter(is_open).collect();
    let client = |key| check_client(program, key, options);
    parts.extend(each(Round::Clients, &clients, &client));
    parts
}

/// Whether what begins with a function gets the same in two programs.
pub fn get_the_same(one: &Program, other: &Program) -> bool {
    Effort::all(one) == Effort::all(other)
}

/// What functions are followed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Round {
    /// Execution begins there.
    Entries,
    /// No path went through them, and nothing else of that kind calls them.
    Unreached,
    /// They make CUDA calls that nothing executed.
    Holders,
    /// Some of the CUDA calls that are written in them are left still.
    Aimed,
    /// A condition that is lost on the way there decides over what was found in them.
    Doubted,
    /// They were handed a stream.
    Promises,
    /// They stand for interfaces, used as clients would that nobody sees.
    Clients,
}

/// Runs a check over some functions, all at the same time where that is possible.
pub type Each<'a> = &'a dyn Fn(Round, &[FunctionId], &(dyn Fn(FunctionId) -> Outcome + Sync)) -> Vec<Outcome>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Severity;
    use crate::facts;
    use crate::program::SourceUnit;
    use crate::syntax::{Defines, MacroTable, collect_macros};

    /// What is said of a program of files that are called so.
    fn findings(files: &[(&str, &str)]) -> Vec<(&'static str, Severity)> {
        let mut macros = MacroTable::default();
        files
            .iter()
            .for_each(|it| macros.merge(collect_macros(it.1.as_bytes())));
        let unit = |(path, text): &(&str, &str)| SourceUnit {
            path: (*path).into(),
            bytes: text.as_bytes().into(),
            facts: facts::extract(text.as_bytes(), &Defines::for_cuda(13_000), &macros).into(),
            ..SourceUnit::default()
        };
        let program = Program::link(files.iter().map(unit).collect());
        let found = check(&program, &Options::default()).findings;
        found.iter().map(|it| (it.code, it.severity)).collect()
    }

    const LIBRARY: &str = "
        struct Sums {
            Sums() { cudaMallocHost(&host, 64); cudaMalloc(&device, 64); cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
            int add(int shards) {
                int sum = 0;
                if (shards > 1) {
                    tally<<<1, 1, 0, stream>>>(device);
                    cudaMemcpyAsync(host, device, 64, cudaMemcpyDeviceToHost, stream);
                    sum = host[0];
                }
                cudaStreamSynchronize(stream);
                return sum;
            }
            int *host;
            int *device;
            cudaStream_t stream;
        };
        __global__ void tally(int *sums) { *sums = 1; }";

    /// Counts in a loop that is not followed to its end.
    const MAIN: &str = "
        #include \"sums.cuh\"
        int main(int argc, char **argv) {
            int shards = 0;
            for (int i = 0; i < 100000; ++i) if (argv[0][i] > 9) ++shards;
            Sums sums;
            return sums.add(shards);
        }";

    #[test]
    fn what_a_lost_condition_decides_over_is_asked_of_the_library_itself() {
        let found = findings(&[("lib/sums.cuh", LIBRARY), ("app/main.cu", MAIN)]);
        assert_eq!(found, [("CL205", Severity::Error)]);
    }

    #[test]
    fn nobody_else_calls_what_belongs_to_a_program() {
        let found = findings(&[("app/sums.cuh", LIBRARY), ("app/main.cu", MAIN)]);
        assert_eq!(found, [("CL205", Severity::Info)]);
    }

    #[test]
    fn heap_memory_is_not_freed_under_a_kernel() {
        let program = |free: &str| {
            format!(
                "struct Pool {{ void free(float *it); }};
                 __global__ void fill(float *data) {{ data[threadIdx.x] = 1; }}
                 void run(float *data, Pool *pool, cudaStream_t stream) {{
                     fill<<<1, 32, 0, stream>>>(data);
                     {free}
                 }}"
            )
        };
        for free in ["free(data);", "delete[] data;"] {
            let found = findings(&[("a.cu", &program(free))]);
            assert_eq!(found, [("CL206", Severity::Error)], "{free}");
        }
        // A method of that name is another matter.
        for free in ["pool->free(data);", "cudaStreamSynchronize(stream); free(data);"] {
            assert!(findings(&[("a.cu", &program(free))]).is_empty(), "{free}");
        }
    }

    /// A pool of host memory, that makes no CUDA call but what stands before it gives memory back.
    fn host_pool(before: &str) -> String {
        format!(
            "struct Pool {{
                 void *allocate(size_t bytes, cudaStream_t stream) {{ return malloc(bytes); }}
                 void deallocate(void *it, cudaStream_t stream) {{ {before} free(it); }}
             }};"
        )
    }

    #[test]
    fn memory_of_the_host_that_is_lent_in_a_stream_outlives_the_work_there() {
        let found = findings(&[("pool.cuh", &host_pool(""))]);
        assert_eq!(found, [("CL206", Severity::Error)]);
        assert!(findings(&[("pool.cuh", &host_pool("cudaStreamSynchronize(stream);"))]).is_empty());
    }

    #[test]
    fn streams_take_turns_where_nothing_asks_for_the_wait_and_they_never_overlap() {
        let program = |setup: &str, body: &str, end: &str| {
            format!(
                "void unseen();
                 __global__ void churn(float *data) {{ data[threadIdx.x] += 1; }}
                 int main() {{
                     float *data[4], *shared, *result;
                     cudaStream_t streams[4];
                     cudaMalloc(&shared, 1024);
                     cudaMallocHost(&result, 1024);
                     for (int i = 0; i < 4; ++i) {{ {setup} cudaStreamCreate(&streams[i]); cudaMalloc(&data[i], 1024); }}
                     cudaDeviceSynchronize();
                     for (int i = 0; i < 4; ++i) {{ {body} }}
                     {end}
                     cudaDeviceSynchronize();
                 }}"
            )
        };
        let takes_turns = |setup: &str, body: &str, end: &str| {
            let found = findings(&[("a.cu", &program(setup, body, end))]);
            found.iter().any(|it| it.0 == "CL405")
        };
        let launch = "churn<<<1, 32, 0, streams[i]>>>(data[i]);";
        let waits = "churn<<<1, 32, 0, streams[i]>>>(data[i]); cudaStreamSynchronize(streams[i]);";
        assert!(takes_turns("", waits, ""));
        assert!(takes_turns("", &format!("{waits} cudaGetLastError();"), ""));
        let before = "if (i > 0) cudaStreamSynchronize(streams[i - 1]);";
        assert!(takes_turns("", &format!("{before} {launch}"), ""));
        // The next one has its work by then; nobody waits.
        assert!(!takes_turns("", &format!("{launch} {before}"), ""));
        assert!(!takes_turns("", launch, ""));
        // They do overlap where it matters.
        assert!(!takes_turns(
            "",
            waits,
            &format!("for (int i = 0; i < 4; ++i) {{ {launch} }}")
        ));
        // Something asks for the wait: a function nobody sees, the host, the next work, a time, memory.
        assert!(!takes_turns("", &format!("{waits} unseen();"), ""));
        let copies = "cudaMemcpyAsync(result, data[i], 1024, cudaMemcpyDeviceToHost, streams[i]);";
        let read = "if (result[0] > 1) data[i] = shared;";
        let reads = format!("{launch} {copies} cudaStreamSynchronize(streams[i]); {read}");
        assert!(!takes_turns("", &reads, ""));
        assert!(!takes_turns(
            "",
            "churn<<<1, 32, 0, streams[i]>>>(shared); cudaStreamSynchronize(streams[i]);",
            ""
        ));
        assert!(!takes_turns("", &format!("{waits} cudaFree(data[i]);"), ""));
        assert!(!takes_turns(
            "",
            &format!("{waits} cudaStreamQuery(streams[i]);"),
            ""
        ));
        // A loop over devices is another matter.
        assert!(!takes_turns(
            "cudaSetDevice(i);",
            &format!("cudaSetDevice(i); {waits}"),
            ""
        ));
        // So are copies alone.
        let uploads = "cudaMemcpyAsync(data[i], result, 1024, cudaMemcpyHostToDevice, streams[i]); cudaStreamSynchronize(streams[i]);";
        assert!(!takes_turns("", uploads, ""));
    }

    #[test]
    fn what_another_program_calls_the_same_overrides_nothing() {
        let program = |fence: &str| {
            format!(
                "struct Backend {{ virtual void fence() = 0; }};
                 struct Host : Backend {{ void fence() override {{}} }};
                 struct Counting : Backend {{ int n; void fence() override {{ ++n; }} }};
                 struct Marking : Backend {{ int n; void fence() override {{ n = 2; }} }};
                 struct Device : Backend {{ void fence() override {{ {fence} }} }};"
            )
        };
        let copy = "
            void copy_apart(Backend &backend, float *out, const float *in, int n, cudaStream_t stream) {
                backend.fence();
                cudaStream_t side;
                cudaEvent_t done;
                cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
                cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
                cudaMemcpyAsync(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice, side);
                cudaEventRecord(done, side);
                cudaStreamWaitEvent(stream, done, 0);
            }";
        let (idle, waits) = (program(""), program("cudaDeviceSynchronize();"));
        let found = findings(&[("a/copy.cu", &format!("{idle}{copy}")), ("b/other.cu", &waits)]);
        assert!(found.contains(&("CL213", Severity::Warning)), "{found:?}");
        let found = findings(&[("a/copy.cu", &format!("{waits}{copy}")), ("b/other.cu", &idle)]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_pointer_that_begins_as_null_is_set_before_a_library_is_called() {
        let pool = "
            int *scratch = nullptr;
            __global__ void fill(int *out) { *out = 1; }
            int take(int *device, cudaStream_t stream) {
                if (scratch == nullptr) return 0;
                int *host;
                cudaMallocHost(&host, 4);
                cudaStream_t own;
                cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
                fill<<<1, 1, 0, own>>>(device);
                cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, own);
                int found = *host;
                cudaStreamSynchronize(own);
                return found;
            }";
        assert!(findings(&[("lib/pool.cu", pool)]).contains(&("CL205", Severity::Error)));
        let main = format!("{pool} int main() {{ return take(nullptr, nullptr); }}");
        assert!(
            !findings(&[("app/main.cu", &main)])
                .iter()
                .any(|it| it.0 == "CL205")
        );
    }

    #[test]
    fn a_kernel_of_a_namespace_that_is_not_seen_is_no_kernel_without_one() {
        let program = |name: &str| {
            format!(
                "#include \"unseen.h\"
                 int main() {{
                     float *a, *b, *c;
                     cudaStream_t s, t;
                     cudaMalloc(&a, 4096), cudaMalloc(&b, 4096), cudaMalloc(&c, 4096);
                     cudaStreamCreate(&s), cudaStreamCreate(&t);
                     cudaMemcpyAsync(b, a, 4096, cudaMemcpyDeviceToDevice, s);
                     {name}<<<4, 256, 0, t>>>(a, c);
                     cudaDeviceSynchronize();
                 }}"
            )
        };
        let other = "
            __global__ void square(float *c, const float *a) { c[threadIdx.x] = a[threadIdx.x]; }
            void both(float *c, float *a, cudaStream_t s) { square<<<4, 256, 0, s>>>(c, a); }";
        let found = |name| findings(&[("a.cu", &program(name)), ("b.cu", other)]);
        assert_eq!(found("square"), [("CL201", Severity::Error)]);
        assert!(found("unseen::square").is_empty());
    }

    #[test]
    fn who_calls_a_test_s_function_says_in_what_streams_it_works() {
        let program = |flags: &str| {
            format!(
                "__global__ void fill(int *data) {{ data[threadIdx.x] = 1; }}
                 void work(int *data, cudaStream_t stream) {{
                     fill<<<1, 32, 0, stream>>>(data);
                     cudaMemset(data, 0, 128);
                 }}
                 TEST(Work, Everywhere) {{
                     cudaStream_t stream;
                     cudaStreamCreateWithFlags(&stream, {flags});
                     int *data;
                     cudaMalloc(&data, 128);
                     work(data, stream);
                     cudaDeviceSynchronize();
                 }}"
            )
        };
        assert!(findings(&[("check.cu", &program("cudaStreamDefault"))]).is_empty());
        let found = findings(&[("check.cu", &program("cudaStreamNonBlocking"))]);
        assert!(found.iter().any(|it| it.1 == Severity::Error), "{found:?}");
    }

    #[test]
    fn two_objects_in_two_streams_are_not_handed_the_same_to_write() {
        let library = |target: &str| {
            format!(
                "struct Tensor {{
                     explicit Tensor(int n) {{ cudaMalloc(&data, n); }}
                     ~Tensor() {{ cudaFree(data); }}
                     void resize(int n) {{ cudaFree(data); cudaMalloc(&data, n); }}
                     int *data;
                 }};
                 inline int *shared() {{ static int *sums = [] {{ int *it; cudaMalloc(&it, 4); return it; }}(); return sums; }}
                 __global__ void scale(int *data) {{ data[threadIdx.x] *= 2; }}
                 struct Scale {{
                     Scale() {{ cudaMalloc(&own, 128); }}
                     ~Scale() {{ cudaFree(own); }}
                     void operator()(Tensor &values, cudaStream_t stream) {{
                         shared();
                         scale<<<1, 32, 0, stream>>>(values.data);
                         scale<<<1, 32, 0, stream>>>({target});
                     }}
                     int *own;
                 }};"
            )
        };
        assert!(findings(&[("scale.cuh", &library("own"))]).is_empty());
        let found = findings(&[("scale.cuh", &library("shared()"))]);
        assert!(found.contains(&("CL215", Severity::Warning)), "{found:?}");
    }
}
