#include "recogniser.h"

#include <cstdio>

#define TRY_CUDA(expr)                                \
    do {                                              \
        const cudaError_t try_e = (expr);             \
        if (try_e != cudaSuccess) return try_e;       \
    } while (0)

namespace ocr {
namespace {

__host__ __device__ inline uint32_t activate(const uint32_t* in, int n, int i, uint32_t mix) {
    return in[i % n] * mix + in[(i * 7 + 3) % n];
}

__global__ void layer_kernel(const uint32_t* in, int n, uint32_t* out, int width, uint32_t mix) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width) out[i] = activate(in, n, i, mix);
}

}  // namespace

Recogniser::Recogniser(std::vector<LayerSpec> layers, int page_words, ArenaKeeper& keeper)
    : layers_(std::move(layers)), page_words_(page_words), keeper_(keeper) {
    failure_ = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (failure_ != cudaSuccess) {
        phase_ = Phase::Failed;
        return;
    }
    const Grant page = keeper_.reserve(page_words_ * sizeof(uint32_t)).get();
    input_ = static_cast<uint32_t*>(page.ptr);
    failure_ = page.status;
    if (failure_ != cudaSuccess) phase_ = Phase::Failed;
}

Recogniser::~Recogniser() {
    if (exec_) cudaGraphExecDestroy(exec_);
    if (stream_) cudaStreamDestroy(stream_);
}

cudaError_t Recogniser::record_layers() {
    const uint32_t* in = input_;
    int n = page_words_;
    for (const LayerSpec& layer : layers_) {
        const Grant room = keeper_.reserve(layer.width * sizeof(uint32_t)).get();
        TRY_CUDA(room.status);
        auto* out = static_cast<uint32_t*>(room.ptr);
        layer_kernel<<<(layer.width + 127) / 128, 128, 0, stream_>>>(in, n, out, layer.width, layer.mix);
        TRY_CUDA(cudaGetLastError());
        in = out;
        n = layer.width;
        output_ = out;
    }
    return cudaSuccess;
}

cudaError_t Recogniser::record() {
    cudaGraph_t graph = nullptr;
    TRY_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    const cudaError_t layers = record_layers();
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    cudaError_t e = layers != cudaSuccess ? layers : ended;
    if (e == cudaSuccess) e = cudaGraphInstantiate(&exec_, graph, 0);
    if (graph) cudaGraphDestroy(graph);
    return e;
}

cudaError_t Recogniser::read(const std::vector<uint32_t>& page, std::vector<uint32_t>* glyphs) {
    switch (phase_) {
        case Phase::Failed:
            return failure_;
        case Phase::Cold:
            failure_ = record();
            phase_ = failure_ == cudaSuccess ? Phase::Recorded : Phase::Failed;
            if (phase_ == Phase::Failed) return failure_;
            break;
        case Phase::Recorded:
            break;
    }
    glyphs->resize(layers_.back().width);
    TRY_CUDA(cudaMemcpyAsync(input_, page.data(), page.size() * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_));
    TRY_CUDA(cudaGraphLaunch(exec_, stream_));
    TRY_CUDA(cudaMemcpyAsync(glyphs->data(), output_, glyphs->size() * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                             stream_));
    return cudaStreamSynchronize(stream_);
}

std::vector<uint32_t> Recogniser::reference(const std::vector<uint32_t>& page) const {
    std::vector<uint32_t> in = page;
    for (const LayerSpec& layer : layers_) {
        std::vector<uint32_t> out(layer.width);
        for (int i = 0; i < layer.width; ++i) out[i] = activate(in.data(), static_cast<int>(in.size()), i, layer.mix);
        in.swap(out);
    }
    return in;
}

}  // namespace ocr

int main() {
    ocr::ArenaKeeper keeper;
    ocr::Recogniser reader({{4096, 31u}, {2048, 17u}, {512, 5u}}, 8192, keeper);
    long wrong = 0;
    for (int p = 0; p < 6; ++p) {
        std::vector<uint32_t> page(8192), glyphs;
        for (size_t i = 0; i < page.size(); ++i) page[i] = static_cast<uint32_t>(i * 2654435761u + p * 97u);
        const cudaError_t e = reader.read(page, &glyphs);
        if (e != cudaSuccess) {
            std::printf("ERROR %s\n", cudaGetErrorName(e));
            return 1;
        }
        const auto want = reader.reference(page);
        for (size_t i = 0; i < want.size(); ++i) wrong += want[i] != glyphs[i];
    }
    std::fprintf(stderr, "%zu KiB booked\n", keeper.booked() >> 10);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
