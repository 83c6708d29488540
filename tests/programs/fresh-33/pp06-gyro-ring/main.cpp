/* main.cpp - the ranks and the check against a host run */
#include "ring.h"
#include <cmath>
#include <thread>

static struct ring_comm  comm;
static struct rank_state ranks[NRANK];

static void rank_main(struct rank_state *s) {
    const int me = s->rank;
    RUN(cudaSetDevice(0));
    for (unsigned step = 1; step <= NSTEP; ++step) {
        plasma_pack(s, ring_buffer(&comm, me, LEFT, step), ring_buffer(&comm, me, RIGHT, step));
        ring_post(&comm, me, step, s->stream);
        ring_receive(&comm, me, step, s->stream);
        plasma_advance(s, ring_buffer(&comm, ring_left(me), RIGHT, step),
                       ring_buffer(&comm, ring_right(me), LEFT, step));
        if (step % NDIAG == 0) {
            plasma_moment(s);
            RUN(cudaStreamSynchronize(s->stream));
            s->history.push_back(ring_allreduce(&comm, me, *s->moment_host));
        }
    }
    RUN(cudaStreamSynchronize(s->stream));
}

static bool differs(double a, double b) {
    return !(std::fabs(a - b) <= 1e-9 * (1.0 + std::fabs(b)));
}

static long verify(void) {
    const int           n = NRANK * NCELL;
    std::vector<double> f(n), g(n), dev(NCELL);
    long                bad = 0;
    for (int i = 0; i < n; ++i)
        f[i] = plasma_initial(i);
    for (int step = 1; step <= NSTEP; ++step) {
        for (int i = 0; i < n; ++i) {
            double a = f[(i + n - 1) % n], b = f[(i + 1) % n];
            g[i] = f[i] + 0.2 * (a - 2.0 * f[i] + b) - 0.1 * (f[i] - a);
        }
        f.swap(g);
        if (step % NDIAG == 0) {
            double m = 0.0;
            for (double v : f)
                m += v * v;
            for (struct rank_state &s : ranks)
                bad += differs(s.history[step / NDIAG - 1], m);
        }
    }
    for (struct rank_state &s : ranks) {
        RUN(cudaMemcpy(dev.data(), s.f, NCELL * sizeof(double), cudaMemcpyDeviceToHost));
        for (int i = 0; i < NCELL; ++i)
            bad += differs(dev[i], f[s.rank * NCELL + i]);
    }
    return bad;
}

int main(void) {
    RUN(cudaSetDevice(0));
    ring_init(&comm);
    for (int r = 0; r < NRANK; ++r)
        plasma_create(&ranks[r], r);
    RUN(cudaDeviceSynchronize());
    std::vector<std::thread> pool;
    for (struct rank_state &s : ranks)
        pool.emplace_back(rank_main, &s);
    for (std::thread &t : pool)
        t.join();
    long bad = verify();
    if (bad) printf("WRONG %ld\n", bad);
    else printf("DONE\n");
    return 0;
}
