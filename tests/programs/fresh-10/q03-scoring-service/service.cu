#include "service.h"

#include <atomic>
#include <cstring>

namespace {

constexpr std::size_t kInitialRows = 1024;
constexpr std::size_t kStagingFloats = 8192 * kFeatures;

__global__ void scoringLoop(volatile Mailbox* mail, const float* weights) {
    __shared__ float w[kFeatures];
    __shared__ int leave, rows;
    __shared__ const volatile float* in;
    __shared__ volatile float* out;
    for (int f = threadIdx.x; f < kFeatures; f += blockDim.x) w[f] = weights[f];
    unsigned served = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (mail->posted == served && !mail->stop) __nanosleep(1000);
            __threadfence_system();
            leave = mail->posted == served;
            rows = mail->rows;
            in = mail->input;
            out = mail->output;
        }
        __syncthreads();
        if (leave) return;
        for (int r = threadIdx.x; r < rows; r += blockDim.x) {
            float sum = 0.f;
            for (int f = 0; f < kFeatures; ++f) sum += w[f] * in[r * kFeatures + f];
            out[r] = sum;
        }
        __threadfence_system();
        __syncthreads();
        ++served;
        if (threadIdx.x == 0) mail->served = served;
        __syncthreads();
    }
}

}  // namespace

ScoringService::ScoringService(const std::vector<float>& weights) {
    CUDA_OK(cudaStreamCreateWithFlags(&resident_, cudaStreamNonBlocking));
    CUDA_OK(cudaStreamCreateWithFlags(&io_, cudaStreamNonBlocking));
    CUDA_OK(cudaHostAlloc(&mail_, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(mail_, 0, sizeof(Mailbox));
    CUDA_OK(cudaMallocHost(&staging_, kStagingFloats * sizeof(float)));

    weights_.reserve(weights.size());
    input_.reserve(kInitialRows * kFeatures);
    output_.reserve(kInitialRows);
    std::memcpy(staging_, weights.data(), weights.size() * sizeof(float));
    CUDA_OK(cudaMemcpyAsync(weights_.data(), staging_, weights.size() * sizeof(float), cudaMemcpyHostToDevice,
                            resident_));
    CUDA_OK(cudaStreamSynchronize(resident_));

    Mailbox* deviceMail = nullptr;
    CUDA_OK(cudaHostGetDevicePointer(&deviceMail, mail_, 0));
    scoringLoop<<<1, 256, 0, resident_>>>(deviceMail, weights_.data());
    CUDA_OK(cudaGetLastError());
    worker_ = std::thread(&ScoringService::loop, this);
}

ScoringService::~ScoringService() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    wake_.notify_all();
    worker_.join();
    static_cast<volatile Mailbox*>(mail_)->stop = 1;
    cudaStreamSynchronize(resident_);
    cudaFreeHost(staging_);
    cudaFreeHost(mail_);
    cudaStreamDestroy(io_);
    cudaStreamDestroy(resident_);
}

std::future<std::vector<float>> ScoringService::score(std::vector<float> applicants) {
    Request request;
    request.rows = std::move(applicants);
    auto reply = request.reply.get_future();
    {
        std::lock_guard<std::mutex> lock(mutex_);
        queue_.push(std::move(request));
    }
    wake_.notify_one();
    return reply;
}

void ScoringService::loop() {
    for (;;) {
        Request request;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) return;
            request = std::move(queue_.front());
            queue_.pop();
        }
        request.reply.set_value(process(request.rows));
    }
}

std::vector<float> ScoringService::process(const std::vector<float>& rows) {
    const std::size_t count = rows.size() / kFeatures;
    input_.reserve(rows.size());
    output_.reserve(count);

    std::memcpy(staging_, rows.data(), rows.size() * sizeof(float));
    CUDA_OK(cudaMemcpyAsync(input_.data(), staging_, rows.size() * sizeof(float), cudaMemcpyHostToDevice, io_));
    CUDA_OK(cudaStreamSynchronize(io_));

    volatile Mailbox* mail = mail_;
    mail->rows = int(count);
    mail->input = input_.data();
    mail->output = output_.data();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const unsigned ticket = mail->posted + 1;
    mail->posted = ticket;
    while (mail->served != ticket) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);

    CUDA_OK(cudaMemcpyAsync(staging_, output_.data(), count * sizeof(float), cudaMemcpyDeviceToHost, io_));
    CUDA_OK(cudaStreamSynchronize(io_));
    return std::vector<float>(staging_, staging_ + count);
}
