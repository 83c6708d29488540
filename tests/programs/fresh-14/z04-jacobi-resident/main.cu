// Poisson solver that stays resident; a monitor thread takes a checkpoint every few sweeps and
// decides whether the solver goes on.
#include "solver.cuh"

#include <atomic>
#include <cmath>
#include <future>
#include <thread>
#include <vector>

using namespace poisson;

namespace {

struct Report {
    int checkpoints = 0;
    float error = 1.0f;
};

class Monitor {
public:
    Monitor(Mailbox* mail, const float* snapshot) : mail_(mail), snapshot_(snapshot)
    {
        CUDA_TRY(cudaStreamCreateWithFlags(&io_, cudaStreamNonBlocking));
        CUDA_TRY(cudaMallocHost(&host_, kUnknowns * sizeof(float)));
    }
    ~Monitor()
    {
        cudaFreeHost(host_);
        cudaStreamDestroy(io_);
    }

    std::future<Report> start()
    {
        return std::async(std::launch::async, [this] { return watch(); });
    }

private:
    Report watch()
    {
        Report r;
        for (int c = 1;; ++c) {
            while (mail_->published < c)
                std::this_thread::yield();
            std::atomic_thread_fence(std::memory_order_seq_cst);

            CUDA_TRY(cudaMemcpyAsync(host_, snapshot_, kUnknowns * sizeof(float),
                                     cudaMemcpyDeviceToHost, io_));
            CUDA_TRY(cudaStreamSynchronize(io_));
            r.checkpoints = c;
            r.error = 0.0f;
            for (int i = 0; i < kUnknowns; ++i)
                r.error = std::fmax(r.error, std::fabs(host_[i] - 1.0f));

            const bool stop = r.error < 1e-5f || c == 20;
            mail_->verdict = stop ? kStop : c;
            if (stop)
                return r;
        }
    }

    Mailbox* mail_;
    const float* snapshot_;
    cudaStream_t io_ = nullptr;
    float* host_ = nullptr;
};

}  // namespace

int main()
{
    const size_t bytes = kUnknowns * sizeof(float);
    std::vector<float> rhs(kUnknowns, 2.0f);
    rhs.front() = rhs.back() = 3.0f;

    float* d_rhs = nullptr;
    System sys{};
    CUDA_TRY(cudaMalloc(&d_rhs, bytes));
    CUDA_TRY(cudaMalloc(&sys.x0, bytes));
    CUDA_TRY(cudaMalloc(&sys.x1, bytes));
    CUDA_TRY(cudaMalloc(&sys.snapshot, bytes));
    CUDA_TRY(cudaMalloc(&sys.go, sizeof(int)));
    CUDA_TRY(cudaMemset(sys.x0, 0, bytes));
    CUDA_TRY(cudaMemset(sys.x1, 0, bytes));
    CUDA_TRY(cudaMemcpy(d_rhs, rhs.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaDeviceSynchronize());
    sys.rhs = d_rhs;

    Mailbox* mail = nullptr;
    Mailbox* mail_dev = nullptr;
    CUDA_TRY(cudaHostAlloc(&mail, sizeof(Mailbox), cudaHostAllocMapped));
    CUDA_TRY(cudaHostGetDevicePointer(&mail_dev, mail, 0));
    mail->published = 0;
    mail->verdict = 0;

    cudaStream_t solve;
    CUDA_TRY(cudaStreamCreateWithFlags(&solve, cudaStreamNonBlocking));
    Report report;
    {
        Monitor monitor(mail, sys.snapshot);
        launch_resident_solver(sys, mail_dev, solve);
        report = monitor.start().get();
        CUDA_TRY(cudaStreamSynchronize(solve));
    }

    std::vector<float> x(kUnknowns);
    CUDA_TRY(cudaMemcpy(x.data(), sys.snapshot, bytes, cudaMemcpyDeviceToHost));
    int wrong = report.error < 1e-5f ? 0 : 1;
    for (float v : x)
        wrong += std::fabs(v - 1.0f) > 1e-4f;

    for (void* p : {static_cast<void*>(d_rhs), static_cast<void*>(sys.x0), static_cast<void*>(sys.x1),
                    static_cast<void*>(sys.snapshot), static_cast<void*>(sys.go)})
        CUDA_TRY(cudaFree(p));
    CUDA_TRY(cudaFreeHost(mail));
    CUDA_TRY(cudaStreamDestroy(solve));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
