// Well-log analysis: a bank of transforms over one signal, spread over a few streams.
#include "operators.hpp"
#include <cmath>
#include <memory>

class Dispatcher {
public:
    explicit Dispatcher(int width) : streams_(width)
    {
        for (auto &s : streams_)
            GPU(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~Dispatcher()
    {
        for (auto s : streams_)
            cudaStreamDestroy(s);
    }
    void submit(ops::Operator &op, const ops::Signal &sig) { op.apply(sig, streams_[turn_++ % streams_.size()]); }
    void drain()
    {
        for (auto s : streams_)
            GPU(cudaStreamSynchronize(s));
    }

private:
    std::vector<cudaStream_t> streams_;
    std::size_t turn_ = 0;
};

int main()
{
    const int n = 1 << 15;
    mem::ScratchPool pool;
    std::vector<std::unique_ptr<ops::Operator>> bank;
    bank.push_back(std::make_unique<ops::Lifting>(pool, 2.f, 1.f));
    bank.push_back(std::make_unique<ops::Gradient>(pool, 8.f));
    bank.push_back(std::make_unique<ops::Lifting>(pool, 0.5f, -3.f));
    bank.push_back(std::make_unique<ops::Gradient>(pool, 0.25f));
    bank.push_back(std::make_unique<ops::Lifting>(pool, 4.f, 7.f));
    bank.push_back(std::make_unique<ops::Gradient>(pool, 16.f));

    std::vector<float> signal(n), got(n);
    for (int i = 0; i < n; ++i)
        signal[i] = (float)((i * 13) % 97);

    float *in = nullptr, *out = nullptr;
    GPU(cudaMalloc(&in, n * sizeof(float)));
    GPU(cudaMalloc(&out, bank.size() * n * sizeof(float)));
    GPU(cudaMemcpy(in, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    GPU(cudaMemset(out, 0, bank.size() * n * sizeof(float)));
    GPU(cudaDeviceSynchronize());

    {
        Dispatcher disp(3);
        for (std::size_t k = 0; k < bank.size(); ++k)
            disp.submit(*bank[k], ops::Signal{in, out + k * n, n});
        disp.drain();
    }

    long wrong = 0;
    for (std::size_t k = 0; k < bank.size(); ++k) {
        GPU(cudaMemcpy(got.data(), out + k * n, n * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; ++i)
            if (std::fabs(got[i] - bank[k]->reference(signal[i], signal[(i + 1) % n])) > 1e-2f)
                ++wrong;
    }
    cudaFree(in);
    cudaFree(out);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
