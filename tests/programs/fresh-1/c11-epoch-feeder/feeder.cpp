#include "feeder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

void ensure(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

uint32_t sample_value(int step, int index) { return (static_cast<uint32_t>(step) * 7919u + index) * 2654435761u; }

Feeder::Feeder(const FeederConfig& cfg) : cfg_(cfg), slots_(cfg.slots) {
    for (auto& s : slots_) {
        ensure(cudaHostAlloc(reinterpret_cast<void**>(&s.host), cfg_.batch * sizeof(uint32_t), cudaHostAllocDefault));
        ensure(cudaMalloc(reinterpret_cast<void**>(&s.device), cfg_.batch * sizeof(uint32_t)));
        ensure(cudaEventCreateWithFlags(&s.drained, cudaEventDisableTiming));
    }
    for (int i = 0; i < cfg_.steps; ++i) tickets_.push_back({this, i});
    worker_ = std::thread(&Feeder::decode_loop, this);
}

Feeder::~Feeder() {
    worker_.join();
    for (auto& s : slots_) {
        cudaEventDestroy(s.drained);
        cudaFreeHost(s.host);
        cudaFree(s.device);
    }
}

void Feeder::decode_loop() {
    for (int step = 0; step < cfg_.steps; ++step) {
        Slot& s = slot(step);
        if (step >= cfg_.slots) ensure(cudaEventSynchronize(s.drained));
        std::this_thread::sleep_for(std::chrono::milliseconds(cfg_.decode_ms));
        for (int i = 0; i < cfg_.batch; ++i) s.host[i] = sample_value(step, i);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            decoded_ = step + 1;
        }
        changed_.notify_all();
    }
}

void CUDART_CB Feeder::until_decoded(void* p) {
    const Ticket* t = static_cast<const Ticket*>(p);
    std::unique_lock<std::mutex> lock(t->feeder->mutex_);
    t->feeder->changed_.wait(lock, [t] { return t->feeder->decoded_ > t->step; });
}

const uint32_t* Feeder::next(int step, cudaStream_t stream) {
    Slot& s = slot(step);
    ensure(cudaLaunchHostFunc(stream, &Feeder::until_decoded, &tickets_[step]));
    ensure(cudaMemcpyAsync(s.device, s.host, cfg_.batch * sizeof(uint32_t), cudaMemcpyHostToDevice, stream));
    return s.device;
}

void Feeder::recycle(int step, cudaStream_t stream) { ensure(cudaEventRecord(slot(step).drained, stream)); }
