// Runs a model that does not fit on the device: packed layers are streamed from
// host memory, unpacked, applied and dropped.
#include "layers.cuh"
#include "pool.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

using namespace wstream;

namespace {

constexpr int kLayers = 10;
constexpr int kWidth = 2048;
constexpr int kAhead = 2;

struct Model {
    uint32_t* packed = nullptr;   // all layers, host
    uint32_t* staging[kAhead] = {};
    uint32_t* activation[2] = {};
    uint32_t* input = nullptr;    // host
    uint32_t* output = nullptr;   // host
};

void build(Model& m) {
    ok(cudaMallocHost(&m.packed, sizeof(uint32_t) * size_t(kLayers) * kPacked));
    for (size_t i = 0; i < size_t(kLayers) * kPacked; ++i) m.packed[i] = uint32_t(i * 2246822519u + (i >> 7));
    for (auto& s : m.staging) ok(cudaMalloc(&s, sizeof(uint32_t) * kPacked));
    for (auto& a : m.activation) ok(cudaMalloc(&a, sizeof(uint32_t) * kWidth));
    ok(cudaMallocHost(&m.input, sizeof(uint32_t) * kWidth));
    ok(cudaMallocHost(&m.output, sizeof(uint32_t) * kWidth));
    for (int i = 0; i < kWidth; ++i) m.input[i] = 17u * i + 3u;
}

void drop(Model& m) {
    for (auto& s : m.staging) cudaFree(s);
    for (auto& a : m.activation) cudaFree(a);
    cudaFreeHost(m.packed);
    cudaFreeHost(m.input);
    cudaFreeHost(m.output);
}

double forward(Model& m, LayerPool& pool, Stream& load, Stream& math, std::vector<Event>& ready,
               std::vector<Event>& applied) {
    const auto begin = std::chrono::steady_clock::now();
    ok(cudaMemcpyAsync(m.activation[0], m.input, sizeof(uint32_t) * kWidth, cudaMemcpyHostToDevice, math));
    for (int layer = 0; layer < kLayers; ++layer) {
        uint32_t* stage = m.staging[layer % kAhead];
        if (layer >= kAhead) ok(cudaStreamWaitEvent(load, applied[layer - kAhead], 0));
        ok(cudaMemcpyAsync(stage, m.packed + size_t(layer) * kPacked, sizeof(uint32_t) * kPacked,
                           cudaMemcpyHostToDevice, load));
        uint32_t* dense = pool.take<uint32_t>(kDense, load);
        launch_unpack(stage, dense, load);
        ok(cudaEventRecord(ready[layer], load));

        ok(cudaStreamWaitEvent(math, ready[layer], 0));
        launch_apply(dense, m.activation[layer & 1], m.activation[(layer & 1) ^ 1], kWidth, math);
        ok(cudaEventRecord(applied[layer], math));
        pool.give(dense, math);
    }
    ok(cudaMemcpyAsync(m.output, m.activation[kLayers & 1], sizeof(uint32_t) * kWidth, cudaMemcpyDeviceToHost, math));
    ok(cudaStreamSynchronize(math));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int compare(const Model& m) {
    std::vector<uint32_t> x(m.input, m.input + kWidth), y(kWidth), dense(kDense);
    for (int layer = 0; layer < kLayers; ++layer) {
        const uint32_t* packed = m.packed + size_t(layer) * kPacked;
        for (int i = 0; i < kPacked; ++i)
            for (int lane = 0; lane < 4; ++lane) dense[4 * i + lane] = dequant(packed[i], lane);
        for (int row = 0; row < kWidth; ++row) {
            uint32_t acc = x[row];
            for (int c = 0; c < kDense / kWidth; ++c) acc += dense[c * kWidth + row] * (x[(row + c) % kWidth] | 1u);
            y[row] = acc;
        }
        x.swap(y);
    }
    int wrong = 0;
    for (int i = 0; i < kWidth; ++i) wrong += x[i] != m.output[i];
    return wrong;
}

}  // namespace

int main() {
    Model model;
    build(model);
    int wrong = 0;
    double seconds = 0.0;
    {
        LayerPool pool;
        Stream load, math;
        std::vector<Event> ready(kLayers), applied(kLayers);
        forward(model, pool, load, math, ready, applied);
        wrong += compare(model);
        seconds = forward(model, pool, load, math, ready, applied);
        wrong += compare(model);
    }
    drop(model);

    const double bound = 1e-9 * (kUnpackNs + double(kLayers) * kApplyNs);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (seconds / bound > 1.5) std::printf("SLOW %.2f\n", seconds / bound);
    else std::printf("DONE\n");
    return 0;
}
