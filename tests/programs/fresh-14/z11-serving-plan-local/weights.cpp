#include "weights.h"

#include "cuda_error.h"

namespace serve {

WeightStore::~WeightStore()
{
    for (int* p : owned_)
        cudaFree(p);
}

std::shared_future<const int*> WeightStore::fetch(int layer)
{
    std::lock_guard<std::mutex> lk(m_);
    auto it = layers_.find(layer);
    if (it == layers_.end()) {
        auto f = std::async(std::launch::async, [this, layer] { return load(layer); }).share();
        it = layers_.emplace(layer, std::move(f)).first;
    }
    return it->second;
}

const int* WeightStore::load(int layer)
{
    std::vector<int> host(width_);
    for (int i = 0; i < width_; ++i)
        host[i] = value(layer, i);

    int* dev = nullptr;
    cudaStream_t io = nullptr;
    check(cudaMalloc(&dev, width_ * sizeof(int)));
    check(cudaStreamCreateWithFlags(&io, cudaStreamNonBlocking));
    check(cudaMemcpyAsync(dev, host.data(), width_ * sizeof(int), cudaMemcpyHostToDevice, io));
    check(cudaStreamSynchronize(io));
    check(cudaStreamDestroy(io));

    std::lock_guard<std::mutex> lk(m_);
    owned_.push_back(dev);
    return dev;
}

}  // namespace serve
