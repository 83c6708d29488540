// Video denoiser: the filter graph is recorded once and replayed for every frame.
#include "denoise.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace {

constexpr int kW = 320;
constexpr int kH = 180;
constexpr int kFrames = 10;

class Pipeline {
public:
    Pipeline(int w, int h)
    {
        const std::size_t bytes = sizeof(int) * w * h;
        in_.width = out_.width = w;
        in_.height = out_.height = h;
        for (cudaStream_t* s : {&main_, &rows_, &columns_})
            DN_CALL(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
        DN_CALL(cudaMalloc(&in_.data, bytes));
        DN_CALL(cudaMalloc(&out_.data, bytes));
        DN_CALL(cudaMallocHost(&stage_, bytes));
        DN_CALL(cudaMallocHost(&result_, bytes));
        DN_CALL(cudaMemsetAsync(out_.data, 0, bytes, main_));
        record();
    }

    ~Pipeline()
    {
        cudaGraphExecDestroy(exec_);
        for (cudaStream_t s : {main_, rows_, columns_})
            cudaStreamDestroy(s);
        cudaFree(in_.data);
        cudaFree(out_.data);
        cudaFree(wide_);
        cudaFreeHost(stage_);
        cudaFreeHost(result_);
    }

    int* input() { return stage_; }
    const int* output() const { return result_; }
    int delivered() const { return delivered_.load(); }

    void process()
    {
        DN_CALL(cudaGraphLaunch(exec_, main_));
        DN_CALL(cudaStreamSynchronize(main_));
    }

private:
    static void CUDART_CB on_frame(void* self)
    {
        static_cast<Pipeline*>(self)->delivered_.fetch_add(1);
    }

    int* wide_scratch()
    {
        if (!wide_)
            DN_CALL(cudaMalloc(&wide_, sizeof(int) * in_.size()));
        return wide_;
    }

    void record()
    {
        const std::size_t bytes = sizeof(int) * in_.size();
        cudaEvent_t fork, joined;
        DN_CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
        DN_CALL(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));

        DN_CALL(cudaStreamBeginCapture(main_, cudaStreamCaptureModeRelaxed));
        DN_CALL(cudaMemcpyAsync(in_.data, stage_, bytes, cudaMemcpyHostToDevice, main_));
        DN_CALL(cudaEventRecord(fork, main_));

        DN_CALL(cudaStreamWaitEvent(rows_, fork, 0));
        {
            dn::Taps taps;
            taps.bias = 5;
            dn::blur_rows(in_, wide_scratch(), taps, rows_);
        }
        DN_CALL(cudaEventRecord(joined, rows_));

        int* tall = nullptr;
        DN_CALL(cudaStreamWaitEvent(columns_, fork, 0));
        DN_CALL(cudaMallocAsync(reinterpret_cast<void**>(&tall), bytes, columns_));
        {
            dn::Taps taps{{1, 6, 1}, -3};
            dn::blur_columns(in_, tall, taps, columns_);
        }

        DN_CALL(cudaStreamWaitEvent(main_, joined, 0));
        DN_CALL(cudaEventRecord(joined, columns_));
        DN_CALL(cudaStreamWaitEvent(main_, joined, 0));
        dn::combine(wide_scratch(), tall, out_, main_);
        DN_CALL(cudaFreeAsync(tall, main_));
        DN_CALL(cudaMemcpyAsync(result_, out_.data, bytes, cudaMemcpyDeviceToHost, main_));
        DN_CALL(cudaLaunchHostFunc(main_, &Pipeline::on_frame, this));

        cudaGraph_t graph;
        DN_CALL(cudaStreamEndCapture(main_, &graph));
        DN_CALL(cudaGraphInstantiate(&exec_, graph, 0));
        DN_CALL(cudaGraphDestroy(graph));
        DN_CALL(cudaEventDestroy(fork));
        DN_CALL(cudaEventDestroy(joined));
    }

    dn::Plane in_, out_;
    int* wide_ = nullptr;
    int* stage_ = nullptr;
    int* result_ = nullptr;
    cudaStream_t main_ = nullptr, rows_ = nullptr, columns_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::atomic<int> delivered_{0};
};

int pixel(int frame, int i) { return (i * 29 + frame * 101) % 256; }

int reference(int frame, int x, int y)
{
    const auto at = [&](int px, int py) {
        px = std::clamp(px, 0, kW - 1);
        py = std::clamp(py, 0, kH - 1);
        return pixel(frame, py * kW + px);
    };
    const int rows = 5 + at(x - 1, y) + 2 * at(x, y) + at(x + 1, y);
    const int columns = -3 + at(x, y - 1) + 6 * at(x, y) + at(x, y + 1);
    return rows + 3 * columns;
}

}  // namespace

int main()
{
    Pipeline pipeline(kW, kH);
    int wrong = 0;
    for (int f = 0; f < kFrames; ++f) {
        for (int i = 0; i < kW * kH; ++i)
            pipeline.input()[i] = pixel(f, i);
        pipeline.process();
        for (int i = 0; i < kW * kH; ++i)
            wrong += pipeline.output()[i] != reference(f, i % kW, i / kW);
    }
    wrong += pipeline.delivered() != kFrames;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
