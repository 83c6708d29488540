//! Ways of waiting seen in real projects, and the look-alikes next to them.

use super::{assert_silent, describe, kernel, only_wait, summary};

fn waits_of(source: &str) -> Vec<String> {
    summary(source).waits.iter().map(describe).collect()
}

#[test]
fn a_turnstile_is_internal() {
    let source = "struct Semaphore { int* lock; bool wait_thread; int state;
          __device__ Semaphore(int* l, int t) : lock(l), wait_thread(t <= 0), state(-1) {}
          __device__ void fetch() { if (wait_thread) { asm volatile(\"ld.global.acquire.gpu.b32 %0, [%1];\" : \"=r\"(state) : \"l\"(lock)); } }
          __device__ void wait(int status) { while (__syncthreads_and(state != status)) { fetch(); } __syncthreads(); }
          __device__ void release(int status) { __syncthreads(); if (wait_thread) { asm volatile(\"st.global.release.gpu.b32 [%0], %1;\" : : \"l\"(lock), \"r\"(status)); } } };
        __global__ void k(int* locks) { Semaphore s(locks, threadIdx.x); s.wait(blockIdx.x); s.release(blockIdx.x + 1); }";
    assert_silent(&summary(source));
    let body = "while (*turn != blockIdx.x); *turn = blockIdx.x + 1;";
    assert_silent(&kernel("volatile int* turn", body));
}

#[test]
fn look_back_is_internal() {
    let source = "struct State { int* status;
          __device__ void set(int tile, int v) { status[32 + tile] = v; }
          __device__ int wait_for(int tile) { int s; do { s = *(volatile int*)(status + 32 + tile); } while (__any_sync(~0u, s == 99)); return s; } };
        __global__ void k(State st) { int tile = blockIdx.x; st.set(tile, 1); st.wait_for(tile - threadIdx.x - 1); }";
    assert_silent(&summary(source));
}

#[test]
fn all_reduce_flags_of_peers_are_external() {
    let source = "struct Signal { unsigned start[36][8]; }; struct RankSignals { Signal* signals[8]; };
        __device__ void st_flag(unsigned* p, unsigned v) { asm volatile(\"st.release.sys.global.u32 [%1], %0;\" :: \"r\"(v), \"l\"(p)); }
        __device__ unsigned ld_flag(unsigned* p) { unsigned v; asm volatile(\"ld.acquire.sys.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p)); return v; }
        __global__ void k(RankSignals sg, Signal* self_sg, int rank, unsigned val) {
          if (threadIdx.x < 8) {
            st_flag(&sg.signals[threadIdx.x]->start[blockIdx.x][rank], val);
            while (ld_flag(&self_sg->start[blockIdx.x][threadIdx.x]) != val);
          } }";
    assert_eq!(waits_of(source), ["p1[0].start[*][*] == val"]);
}

#[test]
fn values_out_of_functions() {
    let source = "__device__ void get(int* p, int& out) { out = *(volatile int*)p; }
        __global__ void k(int* f) { int v; do { get(f, v); } while (v == 0); }";
    assert_eq!(waits_of(source), ["p0[0] != 0"]);
    let source = "__device__ void get(int* p, int* out) { *out = *(volatile int*)p; }
        __global__ void k(int* f) { int v = 0; while (v == 0) { get(f, &v); } }";
    assert_eq!(waits_of(source), ["p0[0] != 0"]);
    let source = "__device__ bool ready(volatile int* p, int n) { return *p >= n; }
        __global__ void k(int* f, int n) { bool ok = false; while (!ok) { ok = ready(f, n); } }";
    assert_eq!(waits_of(source), ["p0[0] >= n"]);
}

#[test]
fn counting_spins_does_not_bound_them() {
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "for (unsigned n = 0; *f == 0; ++n) {}"
        )),
        "p0[0] != 0"
    );
    let body = "unsigned ns = 8; while (*f == 0) { __nanosleep(ns); if (ns < 256) ns *= 2; }";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[0] != 0");
    let body = "long long t0 = clock64(); while (!*f) {} *spent = clock64() - t0;";
    assert_eq!(
        only_wait(&kernel("volatile int* f, long long* spent", body)),
        "p0[0] != 0"
    );
}

#[test]
fn several_places() {
    let both = kernel("volatile int* f, volatile int* g", "while (!*f || !*g);");
    let both: Vec<String> = both.waits.iter().map(describe).collect();
    assert_eq!(both, ["p0[0] != 0", "p1[0] != 0"]);
    assert_eq!(
        only_wait(&kernel("volatile int* f, volatile int* g", "while (!*f && !*g);")),
        "p0[0], p1[0] != 0"
    );
}

#[test]
fn votes_and_broadcasts() {
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (!__any_sync(~0u, *f != 0));")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (__syncthreads_or(*f == 0)) {}")),
        "p0[0] != 0"
    );
    let body = "int v; do { if (threadIdx.x == 0) v = *f; v = __shfl_sync(~0u, v, 0); } while (v == 0);";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[0] != 0");
    let body = "__shared__ int s[2]; while (true) { if (threadIdx.x == 0) s[0] = *f; __syncthreads(); if (s[0]) break; __syncthreads(); }";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[0] != 0");
}

#[test]
fn mailboxes_with_sequence_numbers() {
    let body = "unsigned seq = 0; while (true) { while (*req == seq); seq = *req; if (seq == 77) break; *resp = seq; }";
    let found = kernel("volatile unsigned* req, volatile unsigned* resp", body);
    let waits: Vec<String> = found.waits.iter().map(describe).collect();
    assert_eq!(waits, ["p0[0]", "p0[0] == 77"]);
}

#[test]
fn queues_between_kernels() {
    let queue = "struct Queue { volatile unsigned head, tail; int data[64]; };";
    let consumer = "__global__ void k(Queue* q) { unsigned h = q->head; while (q->tail == h) {} int x = q->data[h % 64]; q->head = h + 1; }";
    assert_eq!(waits_of(&format!("{queue}{consumer}")), ["p0[0].tail"]);
    let roles = "template <int Role> __global__ void k(Queue* q) {
        if constexpr (Role == 0) { while (q->tail == 0) {} q->head = 1; } else { q->tail = 1; } }";
    assert_eq!(
        waits_of(&format!("{queue}{roles}")),
        ["p0[0].tail != 0 if (Role == 0)"]
    );
    let blocks = "__global__ void k(Queue* q) {
        int role = blockIdx.x < 4 ? 0 : 1; if (role == 0) { while (q->tail == 0) {} } else { q->tail = 1; } }";
    assert!(waits_of(&format!("{queue}{blocks}")).is_empty());
}

#[test]
fn commands_of_scoped_enumerations() {
    let source = "enum class Cmd : int { None, Work, Exit };
        __global__ void k(volatile Cmd* cmd, int* out) {
          for (;;) { Cmd c = *cmd; switch (c) { case Cmd::Work: out[0] = 1; break; case Cmd::Exit: return; default: break; } } }";
    assert_eq!(waits_of(source), ["p0[0] == 2"]);
}

#[test]
fn global_objects() {
    let source = "struct Gate { volatile int open; __device__ void pass() { while (!open) {} } };
        __device__ Gate gate; __global__ void k() { gate.pass(); }";
    assert_eq!(waits_of(source), ["g0.open != 0"]);
    let source = "__device__ int* mailbox; __global__ void k() { while (*(volatile int*)mailbox == 0); }";
    assert_eq!(waits_of(source), ["g0[0] != 0"]);
}

#[test]
fn bytes_and_arrays_of_pointers() {
    let body = "while (*(volatile int*)(base + 16) == 0);";
    assert_eq!(only_wait(&kernel("char* base", body)), "p0[16] != 0");
    assert_eq!(
        only_wait(&kernel(
            "volatile int** flags, int r",
            "while (flags[r][1] == 0);"
        )),
        "p0[r][1] != 0"
    );
}

#[test]
fn convergence_loops_are_not_waits() {
    let body = "while (*residual > 1.0f) { atomicAdd(residual, -1.0f); grid.sync(); }";
    assert_silent(&kernel("float* residual, cg::grid_group grid", body));
    let body = "while (*changed) { __syncthreads(); if (threadIdx.x == 0) *changed = 0; __syncthreads(); for (int i = 0; i < n; i++) if (a[i] > i) { a[i] = i; *changed = 1; } __syncthreads(); }";
    assert_silent(&kernel("int* changed, int* a, int n", body));
    let body = "while (*changed) { child<<<1, 1>>>(changed); cudaDeviceSynchronize(); }";
    assert_silent(&kernel("int* changed", body));
    let body = "while (*size > 0) { for (int i = threadIdx.x; i < *size; i += 32) out[i] = i; grid.sync(); if (threadIdx.x == 0) *size = *next; grid.sync(); }";
    assert_silent(&kernel(
        "int* size, int* next, int* out, cg::grid_group grid",
        body,
    ));
}

#[test]
fn tries_kept_in_a_struct_bound_a_wait() {
    let source = "struct Try { int n; }; __global__ void k(volatile int* f) { Try t{0}; while (*f == 0) { t.n++; if (t.n > 10) break; } }";
    assert_silent(&summary(source));
    let body = "int n[2] = {0, 0}; while (*f == 0) { n[1] += 1; if (n[1] > 10) break; }";
    assert_silent(&kernel("volatile int* f", body));
    let source = "__device__ bool expired(int& n) { return ++n > 100; }
        __global__ void k(volatile int* f) { int n = 0; while (*f == 0 && !expired(n)) {} }";
    assert_silent(&summary(source));
    let source = "__device__ bool expired(int* n) { *n += 1; return *n > 100; }
        __global__ void k(volatile int* f) { int n = 0; while (*f == 0) { if (expired(&n)) return; } }";
    assert_silent(&summary(source));
}

#[test]
fn atomic_flag_locks_are_internal() {
    let source = "__device__ cuda::atomic_flag busy; __global__ void k(int* x) { while (busy.test_and_set()) {} *x += 1; busy.clear(); }";
    assert_silent(&summary(source));
    let body = "int zero = 0; while (!lock->compare_exchange_strong(zero, 1)) { zero = 0; } lock->store(0);";
    assert_silent(&kernel("cuda::atomic<int>* lock", body));
}

#[test]
fn tokens_taken_with_compare_exchange() {
    let body = "int one = 1; while (!token->compare_exchange_strong(one, 0)) { one = 1; }";
    assert_eq!(only_wait(&kernel("cuda::atomic<int>* token", body)), "p0[0] == 1");
}

#[test]
fn plain_loads_with_effects_in_the_loop_are_read_again() {
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0) { __threadfence(); }")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* f, int* in, int* out",
            "while (*f == 0) { out[1] = in[2]; }"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0) { printf(\"still\"); }")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "int x = 1; while (*f == 0) { x *= 3; }")),
        "p0[0] != 0 plain"
    );
}

#[test]
fn stores_pauses_barriers_and_votes_do_not_fetch_a_plain_load_again() {
    let bodies = [
        ("while (*f == 0) { out[1] = 2; }", "cached"),
        ("while (*f == 0) { __nanosleep(100); }", "cached"),
        ("while (*f == 0) { __syncthreads(); }", "cached"),
        ("while (!__any_sync(0xffffffffu, *f)) { }", "plain"),
        (
            "while (!__any_sync(0xffffffffu, *f)) { __syncthreads(); }",
            "cached",
        ),
    ];
    for (body, how) in bodies {
        let found = only_wait(&kernel("int* f, int* out", body));
        assert_eq!(found, format!("p0[0] != 0 {how}"), "{body}");
        let fresh = body.replace("*f", "*(volatile int*)f");
        assert_eq!(
            only_wait(&kernel("int* f, int* out", &fresh)),
            "p0[0] != 0",
            "{body}"
        );
    }
}

#[test]
fn a_loop_that_runs_once_waits_for_nobody() {
    assert_silent(&kernel("volatile int* f", "do { if (*f) break; } while (0);"));
    assert_silent(&kernel("volatile int* f", "while (*f == 0) { break; }"));
    assert_silent(&kernel(
        "volatile int* f",
        "for (;;) { if (*f == 0) { *f = 2; } return; }",
    ));
}

#[test]
fn functions_that_call_themselves_until_memory_changes_wait() {
    let direct = [
        "__device__ void wait(volatile int* f) { if (*f == 0) wait(f); }",
        "__device__ void wait(volatile int* f) { if (*f == 0) { __nanosleep(50); wait(f); } }",
        "__device__ void wait(volatile int* f) { if (*f) return; wait(f); }",
        "__device__ int wait(volatile int* f) { return *f ? *f : wait(f); }",
        "__device__ bool wait(volatile int* f) { return *f != 0 || wait(f); }",
        "__device__ void again(volatile int* f); __device__ void wait(volatile int* f) { if (!*f) again(f); }
         __device__ void again(volatile int* f) { __nanosleep(20); wait(f); }",
    ];
    for functions in direct {
        let source =
            format!("{functions} __global__ void k(volatile int* f, int* out) {{ wait(f); *out = 1; }}");
        assert_eq!(only_wait(&summary(&source)), "p0[0] != 0", "{functions}");
    }
}

#[test]
fn functions_that_call_themselves_and_end_do_not_wait() {
    let functions = [
        "__device__ void wait(volatile int* f, int n) { if (*f == 0 && n > 0) wait(f, n - 1); }",
        "__device__ void wait(volatile int* f, int n) { if (f[n] == 0) wait(f, n + 1); }",
        "__device__ int wait(volatile int* f, int n) { return n < 2 ? n : wait(f, n - 1) + wait(f, n - 2); }",
        "__device__ void wait(volatile int* f, int n) { if (f[0]) return; if (f[1]) wait(f, n); else wait(f, n); }",
        "__device__ void wait(volatile int* f, int n) { if (n > 3) wait(f, n); }",
        "__device__ void wait(volatile int* f, int n) { if (*f == 0) { *f = 1; wait(f, n); } }",
    ];
    for functions in functions {
        let source = format!("{functions} __global__ void k(volatile int* f, int n) {{ wait(f, n); }}");
        assert_silent(&summary(&source));
    }
}
