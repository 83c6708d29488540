#include <thread>

#include "scanner.h"

namespace ct {

Gantry::Gantry(Reconstructor& r) : reconstructor_(r) {
    for (Cassette& c : cassettes_) {
        must(cudaMallocHost(reinterpret_cast<void**>(&c.pixels), kPixels * sizeof(uint16_t)));
        must(cudaEventCreateWithFlags(&c.developed, cudaEventDisableTiming));
        empty_.push(&c);
    }
}

Gantry::~Gantry() {
    for (Cassette& c : cassettes_) {
        if (c.developed) cudaEventDestroy(c.developed);
        cudaFreeHost(c.pixels);
    }
}

void Gantry::note(cudaError_t e) {
    int none = cudaSuccess;
    failure_.compare_exchange_strong(none, e);
}

// The detector writes straight into the cassette.
void Gantry::expose() {
    for (int view = 0; view < kViews; ++view) {
        const auto c = empty_.pop();
        if (!c) break;
        Cassette& cassette = **c;
        cassette.view = view;
        for (int i = 0; i < kPixels; ++i) cassette.pixels[i] = raw_pixel(view, i);
        exposed_.push(&cassette);
    }
    exposed_.close();
}

void Gantry::develop() {
    try {
        while (const auto c = exposed_.pop()) {
            reconstructor_.add(**c);
            developing_.push(*c);
        }
    } catch (const Failure& f) {
        note(f.code);
        empty_.close();
    }
    developing_.close();
}

void Gantry::give_back() {
    while (const auto c = developing_.pop()) {
        const cudaError_t e = cudaEventSynchronize((*c)->developed);
        if (e != cudaSuccess) note(e);
        empty_.push(*c);
    }
}

cudaError_t Gantry::rotate() {
    std::thread detector([this] { expose(); });
    std::thread developer([this] { develop(); });
    std::thread porter([this] { give_back(); });
    detector.join();
    developer.join();
    porter.join();
    return static_cast<cudaError_t>(failure_.load());
}

}  // namespace ct
