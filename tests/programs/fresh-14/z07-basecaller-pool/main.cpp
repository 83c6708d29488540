// Nanopore base caller: chunks of raw current are normalised in one stream while the previous
// chunk is decoded in another.
#include "kernels.cuh"
#include "pool_ptr.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

namespace {

constexpr int kChunks = 8;
constexpr int kSamples = 1 << 18;

int baseline(int chunk) { return 1000 + 17 * chunk; }

struct Read {
    std::vector<short> current;
    explicit Read(int chunks) : current(static_cast<std::size_t>(chunks) * kSamples)
    {
        for (std::size_t i = 0; i < current.size(); ++i)
            current[i] = static_cast<short>((i * 31 + i / kSamples) % 400);
    }
};

class Caller {
public:
    explicit Caller(const Read& read)
    {
        pore::must(cudaMalloc(&raw_, read.current.size() * sizeof(short)));
        pore::must(cudaMalloc(&scores_, kChunks * sizeof(unsigned long long)));
        pore::must(cudaMemcpy(raw_, read.current.data(), read.current.size() * sizeof(short),
                              cudaMemcpyHostToDevice));
        pore::must(cudaMemset(scores_, 0, kChunks * sizeof(unsigned long long)));
        pore::must(cudaDeviceSynchronize());
    }
    ~Caller()
    {
        cudaFree(raw_);
        cudaFree(scores_);
    }

    void call(int chunk)
    {
        auto norm = pore::pool_alloc<int>(kSamples, signal_);
        pore::normalise(raw_ + static_cast<std::size_t>(chunk) * kSamples, norm.get(), kSamples,
                        baseline(chunk), signal_);
        ready_.record(signal_);
        ready_.gate(model_);
        pore::decode(norm.get(), kSamples, scores_ + chunk, model_);
    }

    std::optional<std::vector<unsigned long long>> finish()
    {
        if (cudaStreamSynchronize(signal_) != cudaSuccess || cudaStreamSynchronize(model_) != cudaSuccess)
            return std::nullopt;
        std::vector<unsigned long long> s(kChunks);
        pore::must(cudaMemcpy(s.data(), scores_, s.size() * sizeof(s[0]), cudaMemcpyDeviceToHost));
        return s;
    }

private:
    pore::Stream signal_;
    pore::Stream model_;
    pore::Event ready_;
    short* raw_ = nullptr;
    unsigned long long* scores_ = nullptr;
};

}  // namespace

int main()
{
    try {
        const Read read(kChunks);
        Caller caller(read);
        for (int c = 0; c < kChunks; ++c)
            caller.call(c);

        const auto scores = caller.finish();
        if (!scores)
            throw pore::DeviceError(cudaGetLastError());
        int wrong = 0;
        for (int c = 0; c < kChunks; ++c) {
            unsigned long long want = 0;
            for (int i = 0; i < kSamples; ++i)
                want += static_cast<unsigned long long>(
                    2 * read.current[static_cast<std::size_t>(c) * kSamples + i] + baseline(c));
            wrong += (*scores)[c] != want;
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const pore::DeviceError& e) {
        std::printf("ERROR %s\n", e.what());
        std::fflush(stdout);
        std::_Exit(1);
    }
}
