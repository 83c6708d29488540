/* Conditions the traces of one shot gather, several traces in flight. */
#include "kernels.cuh"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define TRY(x)                                                     \
    do {                                                           \
        cudaError_t rc_ = (x);                                     \
        if (rc_ != cudaSuccess) {                                  \
            printf("ERROR %s\n", cudaGetErrorName(rc_));           \
            exit(EXIT_FAILURE);                                    \
        }                                                          \
    } while (0)

enum { WAYS = 4, TRACES = 12 };

struct Way {
    cudaStream_t stream;
    short *d_in;
    int *d_out;
};

struct Gather {
    std::vector<short> raw;
    std::vector<int> clean;
};

static double wall_ms()
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1e3 + ts.tv_nsec * 1e-6;
}

static void read_gather(Gather &g)
{
    g.raw.resize((size_t)TRACES * TRACE_LEN);
    g.clean.assign((size_t)TRACES * TRACE_LEN, -1);
    for (size_t i = 0; i < g.raw.size(); i++)
        g.raw[i] = (short)((i * 2654435761u >> 8) % 2001) - 1000;
    TRY(cudaHostRegister(g.raw.data(), g.raw.size() * sizeof(short), cudaHostRegisterDefault));
    TRY(cudaHostRegister(g.clean.data(), g.clean.size() * sizeof(int), cudaHostRegisterDefault));
}

static void drop_gather(Gather &g)
{
    TRY(cudaHostUnregister(g.clean.data()));
    TRY(cudaHostUnregister(g.raw.data()));
}

static void open_way(Way &w)
{
    TRY(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&w.d_in, TRACE_LEN * sizeof(short)));
    TRY(cudaMalloc((void **)&w.d_out, TRACE_LEN * sizeof(int)));
}

static void close_way(Way &w)
{
    TRY(cudaFree(w.d_out));
    TRY(cudaFree(w.d_in));
    TRY(cudaStreamDestroy(w.stream));
}

static void send_trace(Way &w, Gather &g, int trace)
{
    const short *src = &g.raw[(size_t)trace * TRACE_LEN];
    int *dst = &g.clean[(size_t)trace * TRACE_LEN];
    TRY(cudaMemcpyAsync(w.d_in, src, TRACE_LEN * sizeof(short), cudaMemcpyHostToDevice, w.stream));
    condition_trace<<<16, 256, 0, w.stream>>>(w.d_in, w.d_out, TRACE_LEN, trace + 1);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(dst, w.d_out, TRACE_LEN * sizeof(int), cudaMemcpyDeviceToHost, w.stream));
}

static int check(const Gather &g)
{
    int wrong = 0;
    for (int t = 0; t < TRACES; t++) {
        const short *in = &g.raw[(size_t)t * TRACE_LEN];
        const int *out = &g.clean[(size_t)t * TRACE_LEN];
        for (int i = 0; i < TRACE_LEN; i++)
            if (out[i] != (t + 1) * (in[i] - (i ? in[i - 1] : 0))) {
                wrong++;
                break;
            }
    }
    return wrong;
}

int main()
{
    Gather g;
    Way way[WAYS];
    unsigned *d_beats, beats = 0;

    read_gather(g);
    for (Way &w : way)
        open_way(w);
    TRY(cudaMalloc((void **)&d_beats, sizeof beats));

    int lead = 0;
    for (Way &w : way)
        send_trace(w, g, lead++);
    beat<<<1, 1>>>(d_beats);
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());
    TRY(cudaMemset(d_beats, 0, sizeof beats));
    TRY(cudaDeviceSynchronize());

    double t0 = wall_ms();
    for (int t = 0; t < TRACES; t++) {
        send_trace(way[t % WAYS], g, t);
        beat<<<1, 1>>>(d_beats);
    }
    TRY(cudaGetLastError());
    for (Way &w : way)
        TRY(cudaStreamSynchronize(w.stream));
    double took = wall_ms() - t0;

    TRY(cudaMemcpy(&beats, d_beats, sizeof beats, cudaMemcpyDeviceToHost));
    int wrong = check(g) + (beats != TRACES);
    for (Way &w : way)
        close_way(w);
    TRY(cudaFree(d_beats));
    drop_gather(g);

    double ideal = HOLD_NS * 1e-6 * TRACES / WAYS;
    if (wrong)
        printf("WRONG %d\n", wrong);
    else if (took / ideal > 1.5)
        printf("SLOW %.2f\n", took / ideal);
    else
        printf("DONE\n");
    return 0;
}
