//! Loops that wait for somebody outside the kernel.

use super::{describe, kernel, only_wait, summary};

#[test]
fn volatile_parameter_in_while() {
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (*f == 0) {}")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (!*f);")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (f[3] != 7);")),
        "p0[3] == 7"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f, int n",
            "while (n > *f) __nanosleep(100);"
        )),
        "p0[0] >= n"
    );
    assert_eq!(
        only_wait(&kernel("int volatile* f", "while (0 == f[0]);")),
        "p0[0] != 0"
    );
}

#[test]
fn numbers_written_as_calls_of_their_type() {
    let waiting = |number: &str| {
        summary(&format!(
            "using flag_t = int; template <class T> __global__ void k(volatile T* f) {{ while (*f == {number}) {{}} }}"
        ))
    };
    for zero in [
        "T(0)",
        "T()",
        "T{}",
        "flag_t(0)",
        "uint32_t(0)",
        "decltype(*f)(0)",
    ] {
        assert_eq!(only_wait(&waiting(zero)), "p0[0] != 0", "{zero}");
    }
}

#[test]
fn other_loop_keywords() {
    assert_eq!(
        only_wait(&kernel("volatile int* f", "for (;;) { if (*f) break; }")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "for (; *f != 1;) ;")),
        "p0[0] == 1"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "do { } while (*f < 2);")),
        "p0[0] >= 2"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "while (true) { if (*f == 4) return; }"
        )),
        "p0[0] == 4"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "while (1) { if (*f == 4) continue; break; }"
        )),
        "p0[0] != 4"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "again: if (*f == 0) goto again;")),
        "p0[0] != 0"
    );
}

#[test]
fn volatile_cast() {
    assert_eq!(
        only_wait(&kernel("int* f", "while (*(volatile int*)f == 0);")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* f",
            "while (*reinterpret_cast<volatile int*>(f + 2) == 0);"
        )),
        "p0[2] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f, int i", "while (((volatile int*)f)[i] == 0);")),
        "p0[i] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "while ((volatile int&)f[1] == 0);")),
        "p0[1] != 0"
    );
}

#[test]
fn local_copy_of_the_value() {
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "int v; do { v = *f; } while (v == 0);"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "int v; while ((v = *f) == 0) {}")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "int v = 0; while (v == 0) { v = *f; }"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "bool done = false; while (!done) { if (*f == 3) done = true; }"
        )),
        "p0[0] == 3"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "int v = *f; while (v == 0) v = *f;")),
        "p0[0] != 0"
    );
}

#[test]
fn aliases_of_a_parameter() {
    assert_eq!(
        only_wait(&kernel("int* p", "volatile int* f = p; while (*f == 0);")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* p, int off",
            "volatile int* f = p + off; while (*f == 0);"
        )),
        "p0[off] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* p", "volatile int& f = *p; while (f == 0);")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* p",
            "auto* f = &p[5]; while (atomicAdd(f, 0) == 0);"
        )),
        "p0[5] != 0"
    );
    let source = "struct S { int a; volatile int flag; }; __global__ void k(S* s) { auto* q = &s->flag; while (!*q); }";
    assert_eq!(only_wait(&summary(source)), "p0[0].flag != 0");
}

#[test]
fn atomics() {
    let wait = |condition: &str| {
        let body = format!("while ({condition}) {{}}");
        only_wait(&kernel("int* f, int n", &body))
    };
    assert_eq!(wait("atomicAdd(f, 0) == 0"), "p0[0] != 0");
    assert_eq!(wait("atomicAdd_system(f, 0) < n"), "p0[0] >= n");
    assert_eq!(wait("atomicOr(f, 0) != 1"), "p0[0] == 1");
    assert_eq!(wait("atomicAdd(&f[n], 0) == 0"), "p0[n] != 0");
    assert_eq!(wait("atomicCAS(f, 0, 0) == 0"), "p0[0] != 0");
    assert_eq!(wait("atomicCAS(f, 1, 0) != 1"), "p0[0] == 1");
    assert_eq!(wait("atomicCAS_system(f, n, 0) != n"), "p0[0] == n");
    assert_eq!(wait("atomicExch(f, 0) == 0"), "p0[0] != 0");
    assert_eq!(wait("load_acquire(f) == 0"), "p0[0] != 0");
}

#[test]
fn a_lock_nobody_inside_releases() {
    assert_eq!(
        only_wait(&kernel("int* f", "while (atomicCAS(f, 0, 1) != 0);")),
        "p0[0] == 0"
    );
}

#[test]
fn cuda_atomics() {
    let flag = "cuda::atomic<int, cuda::thread_scope_system>* f";
    assert_eq!(
        only_wait(&kernel(flag, "while (f->load(cuda::memory_order_acquire) == 0);")),
        "p0[0] != 0"
    );
    assert_eq!(only_wait(&kernel(flag, "while (*f == 0);")), "p0[0] != 0");
    assert_eq!(only_wait(&kernel(flag, "f->wait(0);")), "p0[0] != 0");
    assert_eq!(
        only_wait(&kernel("cuda::std::atomic<int>* f", "while (!f->load()) {}")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("cuda::std::atomic_flag* f", "while (!f->test());")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* f",
            "cuda::atomic_ref<int, cuda::thread_scope_system> a(*f); while (a.load(cuda::memory_order_acquire) == 0);"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "int* f",
            "while (cuda::atomic_ref<int, cuda::thread_scope_system>(*f).load() == 0);"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "cuda::atomic_ref<int> a{f[2]}; a.wait(1);")),
        "p0[2] != 1"
    );
}

#[test]
fn inline_assembly() {
    let body = r#"int v; do { asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(f) : "memory"); } while (v == 0);"#;
    assert_eq!(only_wait(&kernel("int* f", body)), "p0[0] != 0");
    let source = r#"
        __device__ int ld(const int* p) { int v; asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }
        __global__ void k(int* f, int n) { while (ld(f + 1) != n); }"#;
    assert_eq!(only_wait(&summary(source)), "p0[1] == n");
}

#[test]
fn fences_force_a_reload() {
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0) { __threadfence(); }")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0) { __syncthreads(); }")),
        "p0[0] != 0 cached"
    );
}

#[test]
fn plain_loads() {
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0);")),
        "p0[0] != 0 plain"
    );
    assert_eq!(
        only_wait(&kernel("int* f", "while (*f == 0) __nanosleep(20);")),
        "p0[0] != 0 cached"
    );
    // What nvcc 13 does with calls whose body it sees, and with work in registers: the load stays hoisted.
    let source = "__device__ __noinline__ int next(int x) { return x + 1; }
        __global__ void k(int* f, int* o) { int x = 0; while (*f == 0) x = next(x); *o = x; }";
    assert_eq!(only_wait(&summary(source)), "p0[0] != 0 plain");
}

#[test]
fn weak_loads_wait_only_in_loops_that_do_something() {
    for load in ["__ldcv(f)", "__ldcg(f)", "__ldg(f)"] {
        let empty = kernel("int* f", &format!("while ({load} == 0) {{}}"));
        assert!(!empty.may_wait(), "{load}");
        for body in ["__nanosleep(20);", "__threadfence();", "*o = 1;", "__syncwarp();"] {
            let busy = kernel("int* f, int* o", &format!("while ({load} == 0) {{ {body} }}"));
            assert_eq!(only_wait(&busy), "p0[0] != 0", "{load} {body}");
        }
    }
    for opcode in ["ld.global.cg.s32", "ld.global.cv.s32", "ld.global.s32"] {
        let body = format!(
            r#"int v; do {{ asm volatile("{opcode} %0, [%1];" : "=r"(v) : "l"(f) : "memory"); }} while (v == 0);"#
        );
        assert!(!kernel("int* f", &body).may_wait(), "{opcode}");
    }
    // An empty statement makes the compiler read again, and is gone before the assembler drops the loop.
    let empty = "while (*f == 0) { asm volatile(\"\" ::: \"memory\"); }";
    assert!(!kernel("int* f", empty).may_wait());
    assert!(kernel("volatile int* f", empty).may_wait());
}

#[test]
fn structs_and_arrays() {
    let source = "struct Q { int* data; volatile unsigned flag[4]; };
        __global__ void k(Q q) { while (q.flag[2] == 0); }";
    assert_eq!(only_wait(&summary(source)), "p0.flag[2] != 0");
    let source = "struct Q { volatile int* flag; int mode; };
        __global__ void k(Q q) { if (q.mode == 2) while (*q.flag != q.mode); }";
    assert_eq!(
        only_wait(&summary(source)),
        "p0.flag[0] == p0.mode".replace("p0.mode", "q.mode") + " if (q.mode == 2)"
    );
    let source = "struct Box { int cmd; int ack; };
        __global__ void k(volatile Box* box) { while (box[1].cmd == 0); box[1].ack = 1; }";
    assert_eq!(only_wait(&summary(source)), "p0[1].cmd != 0");
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (f[threadIdx.x] == 0);")),
        "p0[*] != 0"
    );
}

#[test]
fn bits_and_counters() {
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (!(*f & 4));")),
        "p0[0] & 4"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while ((*f & 4) == 0);")),
        "p0[0] & 4"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f, int m", "while ((m & *f) == 0);")),
        "p0[0] & m"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while ((*f & 8) != 8);")),
        "p0[0] & 8"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f, int n", "while ((int)(*f - n) < 0);")),
        "p0[0] >= n"
    );
}

#[test]
fn globals() {
    let source = "__device__ volatile int flag; __global__ void k() { while (flag == 0); }";
    assert_eq!(only_wait(&summary(source)), "g0 != 0");
    let source = "__managed__ int flag; __global__ void k() { while (atomicAdd(&flag, 0) == 0); }";
    assert_eq!(only_wait(&summary(source)), "g0 != 0");
    let source = "extern __device__ volatile int flags[8]; __global__ void k() { while (flags[1] == 0); }";
    assert_eq!(only_wait(&summary(source)), "g0[1] != 0");
}

#[test]
fn enumerators_and_macros_are_values() {
    let source = "enum { IDLE, READY = 5 };
        __global__ void k(volatile int* f) { while (*f != READY); }";
    assert_eq!(only_wait(&summary(source)), "p0[0] == 5");
    let source = "#define GO 3\n__global__ void k(volatile int* f) { while (*f != GO); }";
    assert_eq!(only_wait(&summary(source)), "p0[0] == 3");
}

#[test]
fn device_functions_are_followed() {
    let source = "__device__ void spin(volatile int* p, int v) { while (*p != v); }
        __device__ void outer(int* q) { spin(q + 1, 9); }
        __global__ void k(int* f) { outer(f + 2); }";
    assert_eq!(only_wait(&summary(source)), "p0[3] == 9");
    let source = "__device__ bool ready(volatile int* p) { if (*p == 2) return true; return false; }
        __global__ void k(int* f) { while (!ready(f)) {} }";
    assert_eq!(only_wait(&summary(source)), "p0[0] == 2");
    let source = "#define WAIT_FOR(p, v) while (*(volatile int*)(p) != (v)) { }
        __global__ void k(int* f) { WAIT_FOR(f + 1, 2); }";
    assert_eq!(only_wait(&summary(source)), "p0[1] == 2");
}

#[test]
fn methods_and_functors_are_followed() {
    let source = "struct Waiter { volatile int* flag; int target;
            __device__ void wait() { while (*flag != target); } };
        __global__ void k(Waiter w) { w.wait(); }";
    assert_eq!(only_wait(&summary(source)), "p0.flag[0] == w.target");
    let source = "struct Spin { int* flag;
            __device__ void operator()(int v) const { while (atomicAdd(this->flag, 0) < v); } };
        template <typename F> __global__ void k(F f) { f(3); }";
    assert_eq!(only_wait(&summary(source)), "p0.flag[0] >= 3");
}

#[test]
fn lambdas_are_followed() {
    let body = "auto ready = [&](int i) { return f[i] != 0; }; while (!ready(2)) {}";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[2] != 0");
}

#[test]
fn guards_over_parameters() {
    let f = "volatile int* f, int mode, int other";
    assert_eq!(
        only_wait(&kernel(f, "if (mode == 0) while (!*f);")),
        "p0[0] != 0 if (mode == 0)"
    );
    assert_eq!(
        only_wait(&kernel(f, "if (mode != 0) return; while (!*f);")),
        "p0[0] != 0 if not (mode != 0)"
    );
    assert_eq!(
        only_wait(&kernel(
            f,
            "switch (mode) { case 1: while (!*f); break; case 2: break; }"
        )),
        "p0[0] != 0 if (mode == 1)"
    );
    assert_eq!(
        only_wait(&kernel(f, "if (threadIdx.x == 0) while (!*f); __syncthreads();")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(f, "if (mode && threadIdx.x == 0) { while (!*f); }")),
        "p0[0] != 0 if mode"
    );
    assert_eq!(
        only_wait(&kernel(f, "if (f[1] == other) while (!*f);")),
        "p0[0] != 0"
    );
    let source = "__device__ void w(volatile int* p, bool on) { if (!on) return; while (!*p); }
        __global__ void k(volatile int* f, int mode) { w(f, mode > 2); }";
    assert_eq!(only_wait(&summary(source)), "p0[0] != 0 if (mode > 2)");
    let source = "template <bool Wait> __global__ void k(volatile int* f) { if (Wait) while (!*f); }";
    assert_eq!(only_wait(&summary(source)), "p0[0] != 0 if Wait");
}

#[test]
fn modes_of_one_kernel_are_not_internal() {
    let found = kernel(
        "volatile int* s, int mode",
        "if (mode == 0) { while (*s == 0); } else { *s = 1; }",
    );
    assert_eq!(only_wait(&found), "p0[0] != 0 if (mode == 0)");
    assert_eq!(found.writes.len(), 1);
    assert_eq!(found.writes[0].guards.len(), 1);
    let body = "switch (mode) { case 0: while (*s == 0); break; case 1: *s = 1; break; }";
    assert_eq!(
        only_wait(&kernel("volatile int* s, int mode", body)),
        "p0[0] != 0 if (mode == 0)"
    );
}

#[test]
fn acknowledging_is_not_releasing() {
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (*f == 0); *f = 0;")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "*f = 0; while (*f == 0);")),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel("volatile int* f", "while (*f != 1); *f = 2;")),
        "p0[0] == 1"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "if (threadIdx.x == 0) { while (*f == 0); *f = 0; }"
        )),
        "p0[0] != 0"
    );
    assert_eq!(
        only_wait(&kernel(
            "volatile int* f",
            "while (f[blockIdx.x] == 0); f[blockIdx.x] = 0;"
        )),
        "p0[*] != 0"
    );
}

#[test]
fn persistent_workers() {
    let body = "while (!*stop) { out[threadIdx.x] += 1.0f; }";
    assert_eq!(
        only_wait(&kernel("volatile int* stop, float* out", body)),
        "p0[0] != 0"
    );
    let source = "enum { IDLE, WORK, EXIT };
        __global__ void k(int* p, int* done) {
          while (true) {
            int cmd = *(volatile int*)p;
            if (cmd == EXIT) return;
            if (cmd == WORK) { *done = 1; *(volatile int*)p = IDLE; }
          }
        }";
    assert_eq!(only_wait(&summary(source)), "p0[0] == 2");
    let body = "__shared__ int s; while (true) { if (threadIdx.x == 0) s = *stop; __syncthreads(); if (s) break; __syncthreads(); }";
    assert_eq!(only_wait(&kernel("volatile int* stop", body)), "p0[0] != 0");
    let body = "for (;;) { switch (*cmd) { case 1: out[0]++; break; case 2: return; default: break; } }";
    assert_eq!(
        only_wait(&kernel("volatile int* cmd, int* out", body)),
        "p0[0] == 2"
    );
}

#[test]
fn two_loops_in_a_worker() {
    let body = "while (true) { while (*go == 0); if (*stop) break; *go = 0; }";
    let found = kernel("volatile int* go, volatile int* stop", body);
    let waits: Vec<String> = found.waits.iter().map(describe).collect();
    assert_eq!(waits, ["p0[0] != 0", "p1[0] != 0"], "{found:#?}");
}

#[test]
fn request_and_response() {
    let body = "box[0] = req; while (box[0] == req); ";
    assert_eq!(
        only_wait(&kernel("volatile int* box, int req", body)),
        "p0[0] != req"
    );
    let body = "while (box[0] == 0); box[1] = 7;";
    assert_eq!(only_wait(&kernel("volatile int* box", body)), "p0[0] != 0");
    let body = "int start = *f; while (*f == start);";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[0]");
}

#[test]
fn waits_inside_counted_loops() {
    let body = "for (int i = 0; i < n; i++) { while (*f < i); }";
    let found = kernel("volatile int* f, int n", body);
    assert_eq!(only_wait(&found), "p0[0] >= (n - 1) if (0 < n)");
    assert!(found.waits[0].last);
    let body = "for (int i = 1; i <= n; i++) { while (*f < i); *out = i; }";
    let found = kernel("volatile int* f, int* out, int n", body);
    let held = |it: &super::WaitLoop| (it.last, it.holds.len());
    assert_eq!(
        found.waits.iter().map(held).collect::<Vec<_>>(),
        [(false, 1), (true, 0)]
    );
}

#[test]
fn waits_that_are_met_again_take_a_write_each() {
    let times = |body: &str| -> Vec<(bool, Option<String>)> {
        let found = kernel("volatile int* f, int n", body);
        let times = |it: &super::WaitLoop| (it.last, it.times.as_ref().map(super::expression));
        found.waits.iter().map(times).collect()
    };
    let rounds = "for (int i = 0; i < n; i++) { while (*f != 1); *f = 0; }";
    assert_eq!(times(rounds), [(false, None), (true, Some("n".to_owned()))]);
    let left_early = "for (int i = 0; i < n; i++) { while (*f != 1); if (*f == 3) break; *f = 0; }";
    assert_eq!(times(left_early), [(false, None)]);
    let by_two = "for (int i = 0; i < n; i += 2) { while (*f != 1); *f = 0; }";
    assert_eq!(times(by_two), [(false, None)]);
    let kept = "for (int i = 0; i < n; i++) { while (*f != 1); }";
    assert_eq!(times(kept), [(false, None)]);
    let twice = "while (*f != 1); *f = 0; while (*f != 1); *f = 0;";
    assert_eq!(times(twice), [(false, None), (false, Some("2".to_owned()))]);
    let never_back = "while (*f != 1); while (*f != 1);";
    assert_eq!(times(never_back), [(false, None), (false, None)]);
}

#[test]
fn macros_read_their_arguments_again_in_every_round() {
    let source = "#define SPIN_UNTIL(c) while (!(c)) { __nanosleep(32); }
        __global__ void k(volatile int* f) { SPIN_UNTIL(f[2] == 1); }";
    assert_eq!(only_wait(&summary(source)), "p0[2] == 1");
}

#[test]
fn references_to_atomics_are_used_like_values() {
    let source = "__global__ void k(int* f) { cuda::atomic_ref<int> r(*f); while (r == 0); }";
    assert_eq!(only_wait(&summary(source)), "p0[0] != 0");
    let source = "__global__ void k(int* f) { cuda::atomic_ref<int> r(*f); r = 3; }";
    assert_eq!(summary(source).writes.len(), 1);
}

#[test]
fn a_loop_written_in_assembly() {
    let body = r#"asm volatile("{ .reg .pred p; .reg .b32 r; L: ld.acquire.gpu.b32 r, [%0]; setp.ne.b32 p, r, 1; @p bra L; }" :: "l"(f) : "memory");"#;
    assert_eq!(only_wait(&kernel("int* f", body)), "p0[0]");
    let body = r#"asm volatile("{ .reg .pred P; W: mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1; @P bra D; bra W; D: }" :: "r"(0), "r"(1));"#;
    assert!(!kernel("int* f", body).may_wait());
}

#[test]
fn only_known_scalars_are_read_with_plain_loads() {
    for source in [
        "typedef volatile int vint; __global__ void k(vint* f) { while (*f == 0); }",
        "template <class T> __global__ void k(T* f) { while (*f == 0); }",
        "__global__ void k(flag_t* f) { while (*f == 0); }",
        "template <class D> struct Base { __device__ void wait() { while (!static_cast<D*>(this)->ready()) {} } };
         struct G : Base<G> { volatile int flag; __device__ bool ready() { return flag != 0; } };
         __global__ void k(G* f) { f->wait(); }",
    ] {
        let found = summary(source);
        assert!(found.waits.iter().all(|wait| wait.load == super::LoadKind::Fresh), "{source}");
    }
}

#[test]
fn a_worker_that_answers_commands_waits_for_the_last_one() {
    let body = "for (;;) { int cmd = f[0]; if (cmd == 0) { __nanosleep(50); continue; }
        if (cmd == 9) return; f[2] += cmd; f[0] = 0; }";
    assert_eq!(only_wait(&kernel("volatile int* f", body)), "p0[0] == 9");
}

#[test]
fn a_service_ends_at_one_word_or_another() {
    let signature = "volatile int* request, volatile int* quit, volatile int* reply";
    let looks = "int r = *request; while (r == seen && !*quit) { r = *request; }";
    let serves = "seen = command; *reply = command;";
    let alone = format!(
        "int seen = 0; for (;;) {{ {looks} int command = (r == seen) ? 0 : r; if (command == 0) return; {serves} }}"
    );
    let first = format!(
        "__shared__ int command; int seen = 0; for (;;) {{ if (threadIdx.x == 0) {{ {looks} command = (r == seen) ? 0 : r; }} \
         __syncthreads(); if (command == 0) return; if (threadIdx.x == 0) {{ {serves} }} }}"
    );
    for body in [alone, first] {
        let found = kernel(signature, &body);
        let waits: Vec<String> = found.waits.iter().map(describe).collect();
        assert_eq!(waits, ["p0[0], p1[0] != 0", "p1[0] != 0, p0[0] == 0"], "{body}");
    }
}
