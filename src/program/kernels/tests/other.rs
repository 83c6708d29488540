//! Accesses, the heap, local arrays, grid groups and limits.

use super::{expression, kernel, place, summary};
use crate::program::kernels::loops_and_calls;
use crate::program::kernels::tests::scope::SingleFile;
use crate::program::kernels::{Access, DeviceScope};

fn written(accesses: &[Access]) -> Vec<String> {
    let one = |access: &Access| {
        let value = access.value.as_ref().map_or_else(|| "?".to_owned(), expression);
        format!(
            "{}{} = {value}",
            if access.atomic { "atomic " } else { "" },
            place(&access.place)
        )
    };
    accesses.iter().map(one).collect()
}

#[test]
fn stores() {
    let found = kernel(
        "int* p, int v",
        "p[0] = 1; p[v] = v; *p += 2; p[threadIdx.x]++; atomicExch(p, v); __stcg(p + 1, 4);",
    );
    assert_eq!(
        written(&found.writes),
        [
            "p0[0] = 1",
            "p0[v] = v",
            "p0[0] = ?",
            "p0[*] = ?",
            "atomic p0[0] = v",
            "p0[1] = 4"
        ]
    );
}

#[test]
fn stores_through_functions_and_atomics() {
    let source = r#"struct S { int* out; };
        __device__ void put(int* q, int v) { asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(q), "r"(v) : "memory"); }
        __global__ void k(S s, cuda::atomic<int>* a) { put(s.out + 2, 7); a->store(1); a->fetch_add(2); memset(s.out, 0, 4); }"#;
    assert_eq!(
        written(&summary(source).writes),
        ["p0.out[2] = 7", "p1[0] = 1", "atomic p1[0] = ?", "p0.out[0] = 0"]
    );
}

#[test]
fn shared_stores_are_nobodys_business() {
    let found = kernel(
        "int* p",
        "__shared__ int s[4]; int l[2]; s[threadIdx.x] = 1; l[0] = *p; int* q = s; q[1] = 2;",
    );
    assert_eq!(written(&found.writes), Vec::<String>::new());
    assert_eq!(found.reads.len(), 1);
}

#[test]
fn guards_of_stores() {
    let found = kernel(
        "int* p, int mode",
        "if (mode == 1) *p = 1; else if (mode == 2) *p = 2;",
    );
    let guards: Vec<usize> = found.writes.iter().map(|write| write.guards.len()).collect();
    assert_eq!(guards, [1, 2]);
}

#[test]
fn heap_uses() {
    let source = "__device__ void say(int i) { printf(\"%d\", i); }
        __global__ void k(int* p) { say(1); int* q = new int[4]; delete[] q; assert(p); void* r = malloc(3); free(r); }";
    let names: Vec<String> = summary(source)
        .heap_uses
        .into_iter()
        .map(|(_, _, name)| name)
        .collect();
    assert_eq!(names, ["printf", "new", "delete", "assert", "malloc", "free"]);
}

#[test]
fn local_arrays() {
    let source = "#define N 16
        __device__ void small() { char c[3]; c[0] = 0; }
        __device__ void big(float* p) { double d[N][2]; d[0][0] = *p; small(); }
        __global__ void k(float* p) { int a[8]; __shared__ int s[100]; a[0] = s[0]; small(); big(p); }";
    assert_eq!(summary(source).local_bytes, 32 + 16 * 2 * 8 + 3);
    // Arrays that are never alive together share their place.
    let source = "__global__ void k(float* p, int n) {
        if (n) { double a[64]; a[n] = *p; *p = a[0]; } else { double b[100]; b[n] = *p; *p = b[1]; } }";
    assert_eq!(summary(source).local_bytes, 800);
}

#[test]
fn grid_groups() {
    for body in [
        "cooperative_groups::this_grid().sync();",
        "auto grid = cg::this_grid(); grid.sync();",
        "cg::grid_group g = cg::this_grid(); cg::sync(g);",
    ] {
        assert!(kernel("int* p", body).grid_sync.is_some(), "{body}");
    }
    let source = "__device__ void f(cg::grid_group& g) { g.sync(); }
        __global__ void k() { cg::grid_group grid = cg::this_grid(); f(grid); }";
    assert!(summary(source).grid_sync.is_some());
    let body = "cg::thread_block b = cg::this_thread_block(); b.sync(); cg::sync(b); cg::this_thread_block().sync();";
    assert!(kernel("int* p", body).grid_sync.is_none());
}

#[test]
fn unknown_functions_with_pointers_make_it_incomplete() {
    assert!(kernel("int* p", "mystery(p);").incomplete);
    assert!(!kernel("int* p, int v", "mystery(v);").incomplete);
}

#[test]
fn recursion_ends() {
    let source =
        "__device__ int f(int* p, int n) { if (n == 0) return *p; return f(p, n - 1) + f(p, n - 2); }
        __global__ void k(int* p, int n) { *p = f(p, n); }";
    assert!(summary(source).incomplete);
}

#[test]
fn deep_and_long_code_ends() {
    let deep = format!("x = {}1{};", "(1 + ".repeat(500), ")".repeat(500));
    kernel("int x", &deep);
    let blocks = format!("{}x++;{}", "if (x) {".repeat(300), "}".repeat(300));
    kernel("int x", &blocks);
    let loops = format!("{}x++;{}", "while (x) {".repeat(60), "}".repeat(60));
    kernel("int x", &loops);
    let chain: String = (0..400)
        .map(|i| format!("if (x == {i}) {{ p[{i}] = x; }} else "))
        .collect();
    kernel("int x, int* p", &format!("{chain} {{}}"));
    let long: String = (0..25_000).map(|i| format!("p[{i}] = x;")).collect();
    assert!(kernel("int x, int* p", &long).incomplete);
}

#[test]
fn loops_that_cannot_wait_are_no_suspects() {
    let quick = |body: &str| -> (bool, Vec<String>) {
        let file = SingleFile::new(format!("__global__ void k(int* p, int n) {{ {body} }}").as_bytes());
        let kernel = file.kernels().next().expect("there is a kernel");
        let (loops, calls) = loops_and_calls(file.function(kernel));
        (loops, calls.into_iter().map(str::to_owned).collect())
    };
    assert_eq!(quick("p[threadIdx.x] = 3; atomicAdd(p, 1);"), (false, Vec::new()));
    assert!(!quick("for (int i = 0; i < n; i++) p[i] = 0; do { p[0] = 1; } while (0);").0);
    assert!(quick("for (int i = 0; p[i] == 0; i++) {}").0);
    assert!(quick("while (*p);").0);
    assert!(quick("p->wait(3);").0);
    assert_eq!(quick("helper(p);"), (false, vec!["helper".to_owned()]));
}

#[test]
fn toolkit_libraries_hide_nothing() {
    for body in [
        "curand_init(1, 2, 0, (curandState*)p);",
        "int x = tex2D<int>(t, 1, 2); p[0] = x;",
        "wmma::store_matrix_sync(p, c, 16, wmma::mem_row_major);",
        "p[0] = std::max(p[1], 2);",
    ] {
        assert!(
            !kernel("int* p, cudaTextureObject_t t", body).incomplete,
            "{body}"
        );
    }
}

#[test]
fn only_extents_of_the_launch_say_what_is_touched() {
    let written = |index: &str| {
        let body = format!("cg::grid_group grid = cg::this_grid(); out[{index}] = 1.f;");
        kernel("float *out, int n", &body).writes[0].part.within.is_some()
    };
    assert!(written("2 * blockDim.x + threadIdx.x"));
    assert!(written("(2 + blockIdx.x) * n + threadIdx.x"));
    // How many threads a group has is nothing the configuration says by that name.
    assert!(!written("grid.size() + threadIdx.x"));
    assert!(!written("n - threadIdx.x"));
}
