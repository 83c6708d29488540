#include "decoder.h"

namespace llm {

__global__ void fill_state(unsigned* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1u;
}

__global__ void fill_cache(unsigned* cache, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cache[i] = 2654435761u * static_cast<unsigned>(i + 1);
}

__global__ void layer_forward(unsigned* x, int n, const unsigned* cache, const int* table, int blocks, int layer)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * 3u + cache[table[i % blocks]] + static_cast<unsigned>(layer);
}

Decoder::Decoder(const ModelConfig& cfg) : cfg_(cfg)
{
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    verify(cudaMalloc(&x_, cfg_.hidden * sizeof(unsigned)));
    verify(cudaMalloc(&cache_, cfg_.cache_pages * sizeof(unsigned)));
    verify(cudaMalloc(&tables_, sizeof(int) * cfg_.blocks * cfg_.layers));
    uploader_ = std::make_unique<Uploader>(stream_, cfg_.blocks);
    fill_cache<<<(cfg_.cache_pages + 255) / 256, 256, 0, stream_>>>(cache_, cfg_.cache_pages);
    verify(cudaGetLastError());
    reset();
}

Decoder::~Decoder()
{
    if (exec_)
        cudaGraphExecDestroy(exec_);
    uploader_.reset();
    cudaFree(tables_);
    cudaFree(cache_);
    cudaFree(x_);
    cudaStreamDestroy(stream_);
}

void Decoder::reset()
{
    fill_state<<<(cfg_.hidden + 255) / 256, 256, 0, stream_>>>(x_, cfg_.hidden);
    verify(cudaGetLastError());
    verify(cudaStreamSynchronize(stream_));
}

void Decoder::forward()
{
    for (int l = 0; l < cfg_.layers; ++l) {
        int* table = tables_ + l * cfg_.blocks;
        uploader_->push(table, block_table(cfg_, l));
        layer_forward<<<(cfg_.hidden + 255) / 256, 256, 0, stream_>>>(x_, cfg_.hidden, cache_, table,
                                                                     cfg_.blocks, l);
        verify(cudaGetLastError());
    }
}

void Decoder::run_eager()
{
    forward();
    verify(cudaStreamSynchronize(stream_));
}

void Decoder::build_graph()
{
    cudaGraph_t graph = nullptr;
    verify(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    forward();
    verify(cudaStreamEndCapture(stream_, &graph));
    verify(cudaGraphInstantiate(&exec_, graph, 0));
    verify(cudaGraphDestroy(graph));
}

void Decoder::run_graph()
{
    verify(cudaGraphLaunch(exec_, stream_));
}

std::vector<unsigned> Decoder::hidden_state()
{
    std::vector<unsigned> h(cfg_.hidden);
    verify(cudaMemcpyAsync(h.data(), x_, h.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    verify(cudaStreamSynchronize(stream_));
    return h;
}

} // namespace llm
