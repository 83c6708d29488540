#include "weight_store.h"

WeightStore::WeightStore(int width) : width_(width) {
    gpu(cudaMallocHost(&staging_, sizeof(float) * width * width));
    gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    thread_ = std::thread([this] { work(); });
}

WeightStore::~WeightStore() {
    {
        std::lock_guard<std::mutex> lk(mutex_);
        quit_ = true;
    }
    wake_.notify_all();
    thread_.join();
    cudaStreamDestroy(stream_);
    cudaFreeHost(staging_);
}

std::shared_future<TensorRef> WeightStore::request(int layer) {
    Job job{layer, {}};
    auto result = job.done.get_future().share();
    {
        std::lock_guard<std::mutex> lk(mutex_);
        jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
    return result;
}

void WeightStore::work() {
    for (;;) {
        std::unique_lock<std::mutex> lk(mutex_);
        wake_.wait(lk, [this] { return quit_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lk.unlock();
        try {
            job.done.set_value(load(job.layer));
        } catch (...) {
            job.done.set_exception(std::current_exception());
        }
    }
}

TensorRef WeightStore::load(int layer) {
    for (int r = 0; r < width_; ++r)
        for (int c = 0; c < width_; ++c) staging_[r * width_ + c] = weight(layer, r, c);
    auto t = std::make_shared<Tensor>();
    t->rows = t->cols = width_;
    const size_t bytes = sizeof(float) * width_ * width_;
    gpu(cudaMalloc(&t->data, bytes));
    gpu(cudaMemcpyAsync(t->data, staging_, bytes, cudaMemcpyHostToDevice, stream_));
    gpu(cudaStreamSynchronize(stream_));
    return t;
}
