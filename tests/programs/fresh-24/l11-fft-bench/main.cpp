#include "bench.h"
#include <vector>

using ntt::Direction;
using ntt::Word;

int main()
{
    constexpr int logn = 20, batch = 4;
    constexpr std::size_t count = static_cast<std::size_t>(batch) << logn;
    std::vector<Word> input(count), back(count);
    for (std::size_t i = 0; i < count; ++i)
        input[i] = static_cast<Word>((i * 2654435761ull + 12345u) % ntt::kPrime);

    cudaStream_t s;
    Word *pristine, *work;
    CUDA_DO(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA_DO(cudaMalloc((void**)&pristine, count * sizeof(Word)));
    CUDA_DO(cudaMalloc((void**)&work, count * sizeof(Word)));
    CUDA_DO(cudaMemcpy(pristine, input.data(), count * sizeof(Word), cudaMemcpyHostToDevice));
    CUDA_DO(cudaDeviceSynchronize());

    ntt::PlanCache plans;
    bench::Case roundTrip;
    roundTrip.name = "ntt 4 x 2^20, there and back by turns";
    roundTrip.prepare = [&] {
        CUDA_DO(cudaMemcpyAsync(work, pristine, count * sizeof(Word), cudaMemcpyDeviceToDevice, s));
    };
    roundTrip.body = [&](int rep, cudaStream_t on) {
        const Direction dir = rep % 2 == 0 ? Direction::Forward : Direction::Inverse;
        plans.get(logn, batch, dir, on).exec(work, on);
    };

    bench::Options opt;
    opt.warmup = 2;
    const bench::Result first = bench::measure(roundTrip, opt, s);
    std::printf("%s: %.3f ms\n", first.name.c_str(), first.msPerRep);

    CUDA_DO(cudaMemcpyAsync(back.data(), work, count * sizeof(Word), cudaMemcpyDeviceToHost, s));
    CUDA_DO(cudaStreamSynchronize(s));
    long wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
        wrong += back[i] != input[i];

    const bench::Result again = bench::measure(roundTrip, opt, s);
    std::printf("%s, repeated: %.3f ms\n", again.name.c_str(), again.msPerRep);
    CUDA_DO(cudaFree(pristine));
    CUDA_DO(cudaFree(work));
    CUDA_DO(cudaStreamDestroy(s));

    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 2;
    }
    const double ratio = first.msPerRep / again.msPerRep;
    if (ratio > 1.5 || ratio < 1 / 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 3;
    }
    std::printf("DONE\n");
    return 0;
}
