#include "checkpoint.h"

namespace {

__global__ void encode(const float* weights, uint16_t* out, std::size_t n)
{
    occupy(60'000'000);
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<uint16_t>(__ldcg(weights + i) * 16.0f);
}

}  // namespace

Checkpointer::Checkpointer(std::size_t n) : n_(n)
{
    TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&encoded_done_, cudaEventDisableTiming));
    TRY(cudaMalloc(&encoded_, n * sizeof(uint16_t)));
    for (Slot& s : slots_) {
        TRY(cudaMallocHost(&s.host, n * sizeof(uint16_t)));
        TRY(cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming));
    }
    writer_ = std::thread(&Checkpointer::write_loop, this);
}

Checkpointer::~Checkpointer()
{
    if (writer_.joinable()) close();
    for (Slot& s : slots_) {
        cudaFreeHost(s.host);
        cudaEventDestroy(s.copied);
    }
    cudaFree(encoded_);
    cudaEventDestroy(ready_);
    cudaEventDestroy(encoded_done_);
    cudaStreamDestroy(stream_);
}

Checkpointer::Slot& Checkpointer::acquire()
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !slots_[0].busy || !slots_[1].busy; });
    Slot& slot = slots_[0].busy ? slots_[1] : slots_[0];
    slot.busy = true;
    return slot;
}

void Checkpointer::save(int step, const float* weights, cudaStream_t producer)
{
    Slot& slot = acquire();
    TRY(cudaEventRecord(ready_, producer));
    TRY(cudaStreamWaitEvent(stream_, ready_, 0));
    encode<<<48, 256, 0, stream_>>>(weights, encoded_, n_);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(encoded_done_, stream_));
    TRY(cudaStreamWaitEvent(producer, encoded_done_, 0));
    TRY(cudaMemcpyAsync(slot.host, encoded_, n_ * sizeof(uint16_t), cudaMemcpyDeviceToHost, stream_));
    TRY(cudaEventRecord(slot.copied, stream_));
    {
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back({step, &slot});
    }
    changed_.notify_all();
}

void Checkpointer::write_loop()
{
    for (;;) {
        Job job;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = jobs_.front();
            jobs_.pop_front();
        }
        TRY(cudaEventSynchronize(job.slot->copied));
        Record record{job.step, std::vector<uint16_t>(job.slot->host, job.slot->host + n_)};
        {
            std::lock_guard<std::mutex> lock(mutex_);
            archive_.push_back(std::move(record));
            job.slot->busy = false;
        }
        changed_.notify_all();
    }
}

std::vector<Checkpointer::Record> Checkpointer::close()
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    writer_.join();
    return std::move(archive_);
}
