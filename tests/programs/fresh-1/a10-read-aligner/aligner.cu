#include <cstdio>
#include <vector>

#include "kernels.cuh"
#include "stream_block.h"

namespace aligner {

struct Options {
    int batches = 10;
    int words = 1 << 14;
};

class Stream {
public:
    Stream() { ALN_TRY(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }
private:
    cudaStream_t s_ = nullptr;
};

class ReadAligner {
public:
    explicit ReadAligner(const Options& o) : opt_(o) {
        ALN_TRY(cudaMallocHost(&reads_, sizeof(unsigned) * opt_.words * opt_.batches));
        ALN_TRY(cudaMallocHost(&scores_, sizeof(unsigned long long) * opt_.batches));
        unsigned lcg = 2024u;
        for (int i = 0; i < opt_.words * opt_.batches; ++i) reads_[i] = lcg = lcg * 1664525u + 1013904223u;
    }
    ~ReadAligner() {
        cudaDeviceSynchronize();
        cudaFreeHost(scores_);
        cudaFreeHost(reads_);
    }

    int run() {
        StreamBlock<unsigned long long> tally(opt_.batches, score_);
        ALN_TRY(cudaMemsetAsync(tally.data(), 0, tally.bytes(), score_));
        for (int b = 0; b < opt_.batches; ++b) align(b, tally.data() + b);
        ALN_TRY(cudaMemcpyAsync(scores_, tally.data(), tally.bytes(), cudaMemcpyDeviceToHost, score_));
        ALN_TRY(cudaStreamSynchronize(score_));
        int wrong = 0;
        for (int b = 0; b < opt_.batches; ++b)
            if (scores_[b] != reference(b)) ++wrong;
        return wrong;
    }

private:
    void align(int batch, unsigned long long* score) {
        StreamBlock<unsigned> packed(opt_.words, unpack_);
        StreamBlock<unsigned char> bases(size_t(opt_.words) * 16, unpack_);
        ALN_TRY(cudaMemcpyAsync(packed.data(), reads_ + size_t(batch) * opt_.words, packed.bytes(),
                                cudaMemcpyHostToDevice, unpack_));
        unpackReads<<<16, 256, 0, unpack_>>>(packed.data(), opt_.words, bases.data());
        ALN_TRY(cudaGetLastError());
        {
            auto lent = bases.visit(score_);
            scoreReads<<<16, 256, 0, score_>>>(lent.data(), opt_.words * 16, score);
            ALN_TRY(cudaGetLastError());
        }
    }

    unsigned long long reference(int batch) const {
        unsigned long long total = 0;
        for (int w = 0; w < opt_.words; ++w)
            for (int b = 0; b < 16; ++b) {
                const unsigned base = (reads_[size_t(batch) * opt_.words + w] >> (2 * b)) & 3u;
                total += base * (1 + (w * 16 + b) % 3);
            }
        return total;
    }

    Options opt_;
    Stream unpack_;
    Stream score_;
    unsigned* reads_ = nullptr;
    unsigned long long* scores_ = nullptr;
};

}  // namespace aligner

int main() {
    try {
        aligner::ReadAligner a{aligner::Options{}};
        const int wrong = a.run();
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const aligner::GpuException& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
