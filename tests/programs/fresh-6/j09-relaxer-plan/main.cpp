// Surface relaxation: the same chain of filters is applied to a sequence of profiles.
#include "stages.h"
#include <cmath>
#include <cstdio>

static int report(const Status &s)
{
    std::printf("ERROR %s\n", s.code == Code::cuda ? cudaGetErrorName(s.cuda) : "state");
    return 1;
}

#define RUN(expr)                 \
    do {                          \
        Status s_ = (expr);       \
        if (!s_)                  \
            return report(s_);    \
    } while (0)
#define RUN_CUDA(expr) RUN(Status::from(expr))

int main()
{
    const int n = 1 << 18, frames = 4;
    const std::size_t bytes = n * sizeof(float);
    cudaStream_t stream;
    float *ping = nullptr, *pong = nullptr;
    RUN_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    RUN_CUDA(cudaMalloc(&ping, bytes));
    RUN_CUDA(cudaMalloc(&pong, bytes));

    long wrong = 0;
    {
        Plan plan(n, stream);
        plan.add(makeBlend(0.75f));
        plan.add(makeBank(5));
        plan.add(makeBlend(1.25f));
        plan.add(makeBank(3));
        RUN(plan.build(ping, pong));

        std::vector<float> profile(n), got(n), a(n), b(n);
        for (int f = 0; f < frames; ++f) {
            for (int i = 0; i < n; ++i)
                profile[i] = (float)((i * 5 + f * 7) % 61);
            RUN_CUDA(cudaMemcpyAsync(ping, profile.data(), bytes, cudaMemcpyHostToDevice, stream));
            RUN(plan.replay());
            RUN_CUDA(cudaMemcpyAsync(got.data(), plan.result(), bytes, cudaMemcpyDeviceToHost, stream));
            RUN_CUDA(cudaStreamSynchronize(stream));

            a = profile;
            for (const auto &s : plan.stages()) {
                s->host(a, b);
                a.swap(b);
            }
            for (int i = 0; i < n; ++i)
                if (std::fabs(a[i] - got[i]) > 1e-2f)
                    ++wrong;
        }
    }
    RUN_CUDA(cudaFree(ping));
    RUN_CUDA(cudaFree(pong));
    RUN_CUDA(cudaStreamDestroy(stream));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
