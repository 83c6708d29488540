#include <array>
#include <thread>
#include <vector>

#include "channel.h"
#include "cuda_handles.h"

namespace {

constexpr int kCells = 1 << 14;
constexpr int kSweeps = 24;
constexpr int kSlots = 3;

__device__ unsigned long long ns_clock() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void voxelise(int* grid, int cells, int sweep, unsigned long long cost_ns) {
    const auto t0 = ns_clock();
    while (ns_clock() - t0 < cost_ns) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        grid[i] = (i * 31 + sweep * 7) % 19;
}

__global__ void fuse(const int* grid, int* world, int cells, int sweep, unsigned long long cost_ns) {
    const auto t0 = ns_clock();
    while (ns_clock() - t0 < cost_ns) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        world[i] += grid[i] * (sweep + 1);
}

struct Slot {
    DevPtr<int> grid;
    Event ready;
    Event drained;
};

class Fusion {
public:
    Fusion() : sense_(make_stream()), map_(make_stream()), world_(make_device<int>(kCells)) {
        cudaFuncAttributes fa{};
        require(cudaFuncGetAttributes(&fa, voxelise));
        require(cudaFuncGetAttributes(&fa, fuse));
        for (int i = 0; i < kSlots; ++i) {
            slots_[i] = Slot{make_device<int>(kCells), make_event(), make_event()};
            vacant_.push(&slots_[i]);
        }
        require(cudaMemsetAsync(world_.get(), 0, kCells * sizeof(int), map_.get()));
    }

    std::vector<int> run() {
        std::thread sensor([this] { sense_loop(); });
        std::thread mapper([this] { map_loop(); });
        sensor.join();
        mapper.join();
        std::vector<int> out(kCells);
        require(cudaMemcpyAsync(out.data(), world_.get(), kCells * sizeof(int),
                                cudaMemcpyDeviceToHost, map_.get()));
        require(cudaStreamSynchronize(map_.get()));
        return out;
    }

private:
    struct Item {
        Slot* slot;
        int sweep;
    };

    void sense_loop() {
        for (int s = 0; s < kSweeps; ++s) {
            Slot* slot = *vacant_.pop();
            require(cudaStreamWaitEvent(sense_.get(), slot->drained.get(), 0));
            voxelise<<<16, 256, 0, sense_.get()>>>(slot->grid.get(), kCells, s,
                                                   (s % 3) * 4000000ull);
            require(cudaGetLastError());
            require(cudaEventRecord(slot->ready.get(), sense_.get()));
            filled_.push({slot, s});
        }
        filled_.close();
    }

    void map_loop() {
        while (auto item = filled_.pop()) {
            require(cudaStreamWaitEvent(map_.get(), item->slot->ready.get(), 0));
            fuse<<<16, 256, 0, map_.get()>>>(item->slot->grid.get(), world_.get(), kCells,
                                             item->sweep, (item->sweep % 4) * 5000000ull);
            require(cudaGetLastError());
            require(cudaEventRecord(item->slot->drained.get(), map_.get()));
            vacant_.push(item->slot);
        }
    }

    Stream sense_;
    Stream map_;
    DevPtr<int> world_;
    std::array<Slot, kSlots> slots_;
    Channel<Slot*> vacant_;
    Channel<Item> filled_;
};

}  // namespace

int main() {
    require(cudaSetDevice(0));
    std::vector<int> got;
    {
        Fusion fusion;
        got = fusion.run();
    }
    long wrong = 0;
    for (int i = 0; i < kCells; ++i) {
        int want = 0;
        for (int s = 0; s < kSweeps; ++s) want += ((i * 31 + s * 7) % 19) * (s + 1);
        if (want != got[i]) ++wrong;
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
