#include "field.cuh"
#include <cstring>
#include "device.h"
#include "scratch_cache.h"

namespace glyph {
namespace {

__global__ void alongRows(const int* codes, int glyphs, int size, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, area = size * size;
    if (i < glyphs * area) out[i] = nearest(codes[i / area], i % size, i % area / size, size, 1, 0);
}

__global__ void alongColumns(const int* codes, int glyphs, int size, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, area = size * size;
    if (i < glyphs * area) out[i] = nearest(codes[i / area], i % size, i % area / size, size, 0, 1);
}

__global__ void fuse(const int* rows, const int* columns, int texels, float* sheet) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < texels) sheet[i] = static_cast<float>(min(rows[i], columns[i])) / kReach;
}

}  // namespace

SheetBuilder::SheetBuilder(int glyphs, int size) : glyphs_(glyphs), size_(size) {
    GLYPH_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    GLYPH_TRY(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    GLYPH_TRY(cudaEventCreateWithFlags(&split_, cudaEventDisableTiming));
    GLYPH_TRY(cudaEventCreateWithFlags(&merge_, cudaEventDisableTiming));
    GLYPH_TRY(cudaMalloc(&codes_, sizeof(int) * glyphs_));
    GLYPH_TRY(cudaMallocHost(&staged_, sizeof(int) * glyphs_));
    GLYPH_TRY(cudaMallocHost(&sheet_, sizeof(float) * texels()));
}

SheetBuilder::~SheetBuilder() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFreeHost(sheet_);
    cudaFreeHost(staged_);
    cudaFree(codes_);
    cudaEventDestroy(merge_);
    cudaEventDestroy(split_);
    cudaStreamDestroy(side_);
    cudaStreamDestroy(stream_);
}

void SheetBuilder::queue() {
    const int texels = this->texels(), grid = (texels + 127) / 128;
    GLYPH_TRY(cudaMemcpyAsync(codes_, staged_, sizeof(int) * glyphs_, cudaMemcpyHostToDevice, stream_));
    GLYPH_TRY(cudaEventRecord(split_, stream_));
    GLYPH_TRY(cudaStreamWaitEvent(side_, split_, 0));

    auto& scratch = ScratchCache::instance();
    int* rows = scratch.get<int>("rows", texels);
    alongRows<<<grid, 128, 0, side_>>>(codes_, glyphs_, size_, rows);
    GLYPH_TRY(cudaGetLastError());
    GLYPH_TRY(cudaEventRecord(merge_, side_));

    int* columns = scratch.get<int>("columns", texels);
    alongColumns<<<grid, 128, 0, stream_>>>(codes_, glyphs_, size_, columns);
    GLYPH_TRY(cudaGetLastError());

    GLYPH_TRY(cudaStreamWaitEvent(stream_, merge_, 0));
    float* field = scratch.get<float>("field", texels);
    fuse<<<grid, 128, 0, stream_>>>(rows, columns, texels, field);
    GLYPH_TRY(cudaGetLastError());
    GLYPH_TRY(cudaMemcpyAsync(sheet_, field, sizeof(float) * texels, cudaMemcpyDeviceToHost, stream_));
}

void SheetBuilder::record() {
    cudaGraph_t graph = nullptr;
    GLYPH_TRY(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    queue();
    GLYPH_TRY(cudaStreamEndCapture(stream_, &graph));
    GLYPH_TRY(cudaGraphInstantiate(&exec_, graph, 0));
    GLYPH_TRY(cudaGraphDestroy(graph));
}

const float* SheetBuilder::render(const int* codes) {
    std::memcpy(staged_, codes, sizeof(int) * glyphs_);
    if (!exec_) record();
    GLYPH_TRY(cudaGraphLaunch(exec_, stream_));
    GLYPH_TRY(cudaStreamSynchronize(stream_));
    return sheet_;
}

}  // namespace glyph
