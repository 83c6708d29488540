// Encoder service: the forward pass is tried once, then recorded and replayed per request.
#include "encoder.cuh"

namespace {

constexpr int kLength = 1 << 14, kHeads = 6, kLanes = 3, kRequests = 5;

class Session {
public:
    Session() : meter_(std::make_shared<nn::ActivationMeter>()), x_(kLength), y_(kLength), encoder_(kLength, kHeads, kLanes)
    {
        nn::ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        encoder_.attach(meter_);
        encoder_.forward(x_.data, y_.data, stream_);
        nn::ok(cudaDeviceSynchronize());
        warmup_total_ = meter_->total();
        record();
    }
    ~Session()
    {
        cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
    }

    void infer(const std::vector<uint32_t>& x, std::vector<uint32_t>& y)
    {
        nn::ok(cudaMemcpyAsync(x_.data, x.data(), x.size() * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_));
        nn::ok(cudaGraphLaunch(exec_, stream_));
        nn::ok(cudaMemcpyAsync(y.data(), y_.data, y.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream_));
        nn::ok(cudaStreamSynchronize(stream_));
    }
    unsigned long long metered() { return meter_->total() - warmup_total_; }

private:
    void record()
    {
        cudaGraph_t graph = nullptr;
        nn::ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        encoder_.forward(x_.data, y_.data, stream_);
        nn::ok(cudaStreamEndCapture(stream_, &graph));
        nn::ok(cudaGraphInstantiate(&exec_, graph, 0));
        nn::ok(cudaGraphDestroy(graph));
    }

    std::shared_ptr<nn::ActivationMeter> meter_;
    nn::DeviceArray<uint32_t> x_, y_;
    nn::Encoder encoder_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    unsigned long long warmup_total_ = 0;
};

}  // namespace

int main()
{
    Session session;
    std::vector<uint32_t> x(kLength), y(kLength);
    unsigned long long expected_total = 0;
    std::size_t wrong = 0;
    for (int r = 0; r < kRequests; ++r) {
        for (int i = 0; i < kLength; ++i) x[i] = i * 2246822519u + r;
        session.infer(x, y);
        for (int i = 0; i < kLength; ++i) {
            uint32_t v = 0;
            for (uint32_t h = 0; h < kHeads; ++h) v ^= x[i] * (2 * h + 3) + (i % 7);
            wrong += y[i] != v;
            expected_total += v;
        }
    }
    wrong += session.metered() != expected_total;
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
