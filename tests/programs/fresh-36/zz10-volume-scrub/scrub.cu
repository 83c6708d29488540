/* Scrubber: checksums every block of a volume on the GPU. Blocks pass through a ring of pinned staging
 * buffers; reads complete in any order. */
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include <cuda_runtime.h>

#include "aio.h"

#define TRY(x)                                              \
    do {                                                    \
        cudaError_t err = (x);                              \
        if (err != cudaSuccess) {                           \
            std::printf("ERROR %s\n", cudaGetErrorName(err)); \
            std::fflush(stdout);                            \
            std::_Exit(1);                                  \
        }                                                   \
    } while (0)

namespace {

constexpr std::uint32_t kBlocks = 96;
constexpr std::uint32_t kSlots = 4;
constexpr std::size_t kBytes = aio::Volume::kWords * sizeof(std::uint32_t);
constexpr std::size_t kInFlight = 2;

__global__ void fletcher(const std::uint32_t* block, std::uint32_t words, unsigned long long* sum) {
    long long t0 = clock64();
    while (clock64() - t0 < 2000000) {
    }
    unsigned long long s = 0;
    for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) s += static_cast<unsigned long long>(block[i]) * (i % 251 + 1);
    atomicAdd(sum, s);
}

unsigned long long expected(std::uint32_t lba) {
    unsigned long long s = 0;
    for (std::uint32_t i = 0; i < aio::Volume::kWords; ++i)
        s += static_cast<unsigned long long>(aio::Volume::word(lba, i)) * (i % 251 + 1);
    return s;
}

struct Slot {
    std::uint32_t* staging;
    std::uint32_t* block;
    cudaEvent_t scanned;
};

class Scrubber {
public:
    Scrubber() {
        for (auto& s : slots_) {
            TRY(cudaMallocHost(&s.staging, kBytes));
            TRY(cudaMalloc(&s.block, kBytes));
            TRY(cudaEventCreateWithFlags(&s.scanned, cudaEventDisableTiming));
        }
        for (auto& s : streams_) TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        TRY(cudaMalloc(&sums_, kBlocks * sizeof *sums_));
        TRY(cudaMemset(sums_, 0, kBlocks * sizeof *sums_));
        TRY(cudaDeviceSynchronize());
    }

    ~Scrubber() {
        for (auto& s : slots_) {
            cudaEventDestroy(s.scanned);
            cudaFree(s.block);
            cudaFreeHost(s.staging);
        }
        for (auto& s : streams_) cudaStreamDestroy(s);
        cudaFree(sums_);
    }

    std::vector<unsigned long long> run(aio::Ring& ring) {
        for (std::uint32_t tag = 0; tag < kSlots; ++tag) request(ring, tag);
        for (std::uint32_t scanned = 0; scanned < kBlocks;) {
            const aio::Completion c = ring.reap();
            if (c.status != 0) {
                aio::Submission again = c.request;
                ++again.attempt;
                ring.submit(again);
                continue;
            }
            scan(c.request.tag, c.request.lba);
            ++scanned;
            if (busy_.size() > kInFlight) {
                const std::uint32_t tag = busy_.front();
                busy_.pop_front();
                TRY(cudaEventSynchronize(slots_[tag].scanned));
                request(ring, tag);
            }
        }
        for (std::uint32_t tag : busy_) TRY(cudaEventSynchronize(slots_[tag].scanned));
        busy_.clear();

        std::vector<unsigned long long> out(kBlocks);
        TRY(cudaMemcpy(out.data(), sums_, kBlocks * sizeof *sums_, cudaMemcpyDeviceToHost));
        return out;
    }

private:
    void request(aio::Ring& ring, std::uint32_t tag) {
        if (next_ == kBlocks) return;
        ring.submit({next_++, slots_[tag].staging, tag, 0});
    }

    void scan(std::uint32_t tag, std::uint32_t lba) {
        Slot& s = slots_[tag];
        cudaStream_t q = streams_[tag & 1];
        TRY(cudaMemcpyAsync(s.block, s.staging, kBytes, cudaMemcpyHostToDevice, q));
        fletcher<<<1, 256, 0, q>>>(s.block, aio::Volume::kWords, sums_ + lba);
        TRY(cudaGetLastError());
        TRY(cudaEventRecord(s.scanned, q));
        busy_.push_back(tag);
    }

    Slot slots_[kSlots] = {};
    cudaStream_t streams_[2] = {};
    unsigned long long* sums_ = nullptr;
    std::deque<std::uint32_t> busy_;
    std::uint32_t next_ = 0;
};

}  // namespace

int main() {
    aio::Volume volume;
    Scrubber scrubber;
    std::vector<unsigned long long> sums;
    {
        aio::Ring ring(volume, 2);
        sums = scrubber.run(ring);
    }
    int wrong = 0;
    for (std::uint32_t lba = 0; lba < kBlocks; ++lba) wrong += sums[lba] != expected(lba);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
