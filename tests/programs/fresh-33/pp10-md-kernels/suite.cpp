/* suite.cpp - the timing loop, the audit and the report */
#include "bench.h"
#include <chrono>
#include <cmath>
#include <vector>

struct md_system md;
struct suite     suite;
#define BENCH_ENTRY(n) \
    { #n, case_##n##_setup, case_##n##_run, case_##n##_teardown, nullptr, 0.0, 0.0 },
static struct bench_case cases[] = { BENCH_CASES(BENCH_ENTRY) };

static void suite_open(void) {
    const size_t bytes = 3 * NATOM * sizeof(double);
    CU(cudaSetDevice(0));
    CU(cudaStreamCreateWithFlags(&suite.stream, cudaStreamNonBlocking));
    CU(cudaEventCreate(&suite.start));
    CU(cudaEventCreate(&suite.stop));
    double **arrays[] = { &md.x, &md.f_pair, &md.f_bond, &md.f_tors };
    for (double **a : arrays) {
        CU(cudaMalloc(a, bytes));
        CU(cudaMemset(*a, 0, bytes));
    }
    md_positions(md.host_x);
    CU(cudaMemcpy(md.x, md.host_x, bytes, cudaMemcpyHostToDevice));
    CU(cudaDeviceSynchronize());
}

static void time_case(struct bench_case *c) {
    float ms = 0.0f;
    c->run(c);
    CU(cudaDeviceSynchronize());
    CU(cudaEventRecord(suite.start, suite.stream));
    for (int r = 0; r < REPS; ++r)
        c->run(c);
    CU(cudaEventRecord(suite.stop, suite.stream));
    CU(cudaEventSynchronize(suite.stop));
    CU(cudaEventElapsedTime(&ms, suite.start, suite.stop));
    c->ms = ms / REPS;
}

static void audit_case(struct bench_case *c) {
    CU(cudaDeviceSynchronize());
    auto t0 = std::chrono::steady_clock::now();
    for (int r = 0; r < REPS; ++r)
        c->run(c);
    CU(cudaDeviceSynchronize());
    std::chrono::duration<double, std::milli> d = std::chrono::steady_clock::now() - t0;
    c->wall_ms = d.count() / REPS;
}

static long suite_verify(void) {
    const size_t bytes = 3 * NATOM * sizeof(double);
    std::vector<double> p(3 * NATOM), b(3 * NATOM), t(3 * NATOM);
    CU(cudaMemcpy(p.data(), md.f_pair, bytes, cudaMemcpyDeviceToHost));
    CU(cudaMemcpy(b.data(), md.f_bond, bytes, cudaMemcpyDeviceToHost));
    CU(cudaMemcpy(t.data(), md.f_tors, bytes, cudaMemcpyDeviceToHost));
    return md_verify(p.data(), b.data(), t.data());
}

int main(void) {
    double worst = 1.0;
    suite_open();
    for (struct bench_case &c : cases) {
        c.setup(&c);
        time_case(&c);
        audit_case(&c);
        c.teardown(&c);
        worst = std::fmax(worst, std::fmax(c.ms / c.wall_ms, c.wall_ms / std::fmax(c.ms, 1e-6)));
        fprintf(stderr, "%-8s %8.3f ms per call\n", c.name, c.ms);
    }
    long bad = suite_verify();
    if (bad) printf("WRONG %ld\n", bad);
    else if (worst > 1.5) printf("SLOW %.2f\n", worst);
    else printf("DONE\n");
    return 0;
}
