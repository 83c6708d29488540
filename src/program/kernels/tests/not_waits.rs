//! Loops that look like waiting and are not, or that the kernel itself releases.

use super::{assert_silent, kernel, summary};

/// Somebody inside the same launch releases it.
fn assert_internal(source: &str) {
    let found = summary(source);
    assert_silent(&found);
    assert!(!found.internal_waits.is_empty(), "{found:#?}");
}

/// It waits, but not for ever.
fn assert_bounded(parameters: &str, body: &str) {
    let found = kernel(parameters, body);
    assert_silent(&found);
    assert_eq!(found.bounded_waits.len(), 1, "{found:#?}");
    assert_eq!(found.internal_waits.len(), 0, "{found:#?}");
}

fn silent(parameters: &str, body: &str) {
    let found = kernel(parameters, body);
    assert_silent(&found);
    assert!(found.internal_waits.is_empty(), "{found:#?}");
}

#[test]
fn trip_counts() {
    assert_bounded(
        "volatile int* f",
        "for (int i = 0; i < 1000; i++) { if (*f) break; }",
    );
    assert_bounded("volatile int* f", "int n = 0; while (*f == 0 && n < 100) n++;");
    assert_bounded("volatile int* f", "int n = 100; while (*f == 0 && --n) ;");
    assert_bounded("volatile int* f", "int n = 100; while (n-- > 0 && !*f) ;");
}

#[test]
fn clocks() {
    assert_bounded(
        "volatile int* f",
        "long long t0 = clock64(); while (*f == 0 && clock64() - t0 < 1000);",
    );
    assert_bounded(
        "volatile int* f",
        "auto end = clock64() + 9; while (*f == 0) { if (clock64() > end) return; }",
    );
    silent(
        "int* f",
        "long long t0 = clock64(); while (clock64() - t0 < 1000);",
    );
    let body = r#"unsigned long long t; do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); if (*f) break; } while (t < 5);"#;
    assert_bounded("volatile int* f", body);
    let body =
        r#"unsigned t; do { asm volatile("mov.u32 %0, %%clock;" : "=r"(t)); if (*f) break; } while (t < 5);"#;
    assert_bounded("volatile int* f", body);
    let source = "__device__ bool expired(long long t0) { return clock64() - t0 > 100; }
        __global__ void k(volatile int* f) { long long t0 = clock64(); while (!*f) { if (expired(t0)) break; } }";
    assert_silent(&summary(source));
}

#[test]
fn retry_counters() {
    assert_bounded(
        "volatile int* f",
        "int n = 0; while (*f == 0) { if (++n > 1000) break; }",
    );
    assert_bounded(
        "volatile int* f",
        "int n = 0; while (*f == 0) { if (++n > 1000) return; }",
    );
    assert_bounded(
        "volatile int* f",
        "int n = 0; while (*f == 0) { if (++n > 1000) __trap(); }",
    );
    assert_bounded(
        "volatile int* f",
        "int n = 0; while (*f == 0) { n++; if (n > 1000) { asm(\"trap;\"); } }",
    );
    assert_bounded(
        "volatile int* f, int* timeout",
        "int n = 0; bool late = false; while (*f == 0 && !late) { if (n++ > 9) { late = true; } }",
    );
}

#[test]
fn compare_and_swap_updates() {
    silent(
        "unsigned long long* a, double v",
        "unsigned long long old = *a, assumed; do { assumed = old; old = atomicCAS(a, assumed, assumed + 1); } while (assumed != old);",
    );
    silent(
        "int* a, int v",
        "int old = *a; while (v > old) { int seen = atomicCAS(a, old, v); if (seen == old) break; old = seen; }",
    );
    silent(
        "int* a, int v",
        "int old; do { old = *a; } while (atomicCAS(a, old, old + v) != old);",
    );
    let source = "__device__ double add(double* address, double val) {
          unsigned long long int* as = (unsigned long long int*)address; unsigned long long int old = *as, assumed;
          do { assumed = old; old = atomicCAS(as, assumed, __double_as_longlong(val + __longlong_as_double(assumed))); }
          while (assumed != old); return __longlong_as_double(old); }
        __global__ void k(double* d) { add(d, 1.0); }";
    assert_silent(&summary(source));
}

#[test]
fn compare_exchange_updates() {
    silent(
        "cuda::atomic<int>* a",
        "int old = a->load(); while (!a->compare_exchange_weak(old, old + 1)) { }",
    );
}

#[test]
fn work_queues() {
    silent(
        "int* counter, int n",
        "while (true) { int i = atomicAdd(counter, 1); if (i >= n) break; }",
    );
    silent(
        "int* counter, int n",
        "int i; while ((i = atomicAdd(counter, 1)) < n) { }",
    );
    silent(
        "int* counter, int n",
        "__shared__ int next; while (true) { if (threadIdx.x == 0) next = atomicAdd(counter, 1); __syncthreads(); if (next >= n) return; }",
    );
    silent("int* counter", "while (atomicSub(counter, 1) > 0) { }");
}

#[test]
fn loops_that_change_the_place() {
    silent("int* changed", "while (*changed) { *changed = 0; }");
    silent("volatile int* n", "while (*n > 0) { *n = *n - 1; }");
    silent("volatile int* n", "while (n[0] > 0) n[0]--;");
}

#[test]
fn pointer_chasing() {
    let node = "struct Node { Node* next; int value; };";
    assert_silent(&summary(&format!(
        "{node} __global__ void k(Node* p) {{ while (p->next) p = p->next; }}"
    )));
    assert_silent(&summary(&format!(
        "{node} __global__ void k(volatile Node* p) {{ while (p) {{ p = p->next; }} }}"
    )));
    silent("const char* s", "while (*s) s++;");
    silent("const int* a, int key", "int i = 0; while (a[i] < key) i++;");
    silent(
        "volatile int* p",
        "int i = threadIdx.x; while (p[i] != i) i = p[i];",
    );
    silent(
        "int* p",
        "int i = threadIdx.x; int j = p[i]; while (i != j) { i = j; j = p[i]; }",
    );
}

#[test]
fn shared_and_local_memory() {
    silent("int* f", "__shared__ volatile int s; while (s == 0);");
    silent(
        "int* f",
        "__shared__ volatile int s[4]; while (s[threadIdx.x] == 0);",
    );
    silent(
        "int* f",
        "extern __shared__ int s[]; volatile int* p = s; while (p[1] == 0);",
    );
    silent("int* f", "volatile int x[2]; while (x[0] == 0);");
}

#[test]
fn device_barriers() {
    silent(
        "cuda::barrier<cuda::thread_scope_block>* b",
        "while (!b->try_wait(b->arrive())) {}",
    );
    silent("int* f", "for (int i = 0; i < 4; i++) { __syncthreads(); }");
    let body = r#"int ok; do { asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0,1,0,p; }" : "=r"(ok) : "r"(f), "r"(0)); } while (!ok);"#;
    silent("int f", body);
}

#[test]
fn spin_locks() {
    assert_internal(
        "__global__ void k(int* lock) { while (atomicCAS(lock, 0, 1) != 0); atomicExch(lock, 0); }",
    );
    assert_internal(
        "__global__ void k(int* lock) { while (atomicExch(lock, 1)); *(volatile int*)lock = 0; }",
    );
    let source = "__device__ int mutex; __device__ void lock() { while (atomicCAS(&mutex, 0, 1)) { } }
        __device__ void unlock() { atomicExch(&mutex, 0); } __global__ void k() { lock(); unlock(); }";
    assert_internal(source);
    let source = "__global__ void k(int* lock) { bool done = false; while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) { done = true; atomicExch(lock, 0); } } }";
    assert_silent(&summary(source));
}

#[test]
fn grid_barriers() {
    assert_internal("__global__ void k(volatile int* n) { atomicAdd((int*)n, 1); while (*n < gridDim.x); }");
    let source = "__device__ unsigned count; __device__ volatile unsigned sense;
        __global__ void k() { if (threadIdx.x == 0) { unsigned s = sense;
          if (atomicAdd(&count, 1) == gridDim.x - 1) { count = 0; sense = s + 1; } else { while (sense == s); } } __syncthreads(); }";
    assert_internal(source);
    let source = "__device__ void barrier(volatile int* g, int goal) { if (threadIdx.x == 0) { atomicAdd((int*)g, 1); while (*g != goal) {} } __syncthreads(); }
        __global__ void k(int* g) { for (int i = 1; i < 9; i++) barrier(g, i * gridDim.x); }";
    assert_internal(source);
}

#[test]
fn block_chains() {
    assert_internal(
        "__global__ void k(volatile int* f) { int b = blockIdx.x; if (b) while (f[b - 1] == 0); f[b] = 1; }",
    );
    assert_internal(
        "__global__ void k(volatile int* f) { if (threadIdx.x == 0) { f[blockIdx.x] = 2; } while (f[blockIdx.x - threadIdx.x] == 0); }",
    );
}

#[test]
fn one_block_releases_the_others() {
    assert_internal(
        "__global__ void k(volatile int* f) { if (blockIdx.x == 0) { *f = 1; } else { while (*f == 0); } }",
    );
    assert_internal(
        "__global__ void k(volatile int* f) { if (blockIdx.x > 0) { while (*f == 0); } else { *f = 1; } }",
    );
}

#[test]
fn unknown_callees_may_release() {
    let found = kernel("int* queue", "while (*queue > 0) { pop(queue); }");
    assert_silent(&found);
    assert!(found.incomplete);
}
