// Side-scan sonar: every ping goes through a bank of FIR filters.
#include "filter_plan.h"
#include <memory>

namespace {

std::vector<int> make_ping(int samples, int number)
{
    std::vector<int> p(samples);
    for (int i = 0; i < samples; ++i) p[i] = (i * (number + 3) + number) % 97 - 48;
    return p;
}

int compare(const sonar::FilterPlan &plan, const std::vector<int> &ping, const std::vector<int> &got)
{
    const auto &taps = plan.desc().taps;
    for (int i = 0; i < plan.desc().samples; ++i)
    {
        int acc = 0;
        for (int k = 0; k < static_cast<int>(taps.size()) && k <= i; ++k) acc += taps[k] * ping[i - k];
        if (acc != got[i]) return 1;
    }
    return 0;
}

std::vector<sonar::FilterDesc> filter_bank(int samples)
{
    return {
        {"smooth", {1, 2, 4, 2, 1}, samples},
        {"edge", {-1, -2, 0, 2, 1}, samples},
        {"echo", {3, 0, 0, 0, 5}, samples},
    };
}

} // namespace

int main()
{
    constexpr int kSamples = 1 << 15;
    constexpr int kPings = 4;

    cudaStream_t stream;
    sonar::verify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    sonar::StagingArena arena(64 * 1024);
    int *h_ping = nullptr;
    sonar::verify(cudaMallocHost(&h_ping, kSamples * sizeof(int)));

    int wrong = 0;
    {
        std::vector<std::unique_ptr<sonar::FilterPlan>> bank;
        for (const auto &d : filter_bank(kSamples))
            bank.push_back(std::make_unique<sonar::FilterPlan>(d, arena, stream));

        std::vector<int> out(kSamples);
        for (int p = 0; p < kPings; ++p)
        {
            const auto ping = make_ping(kSamples, p);
            std::memcpy(h_ping, ping.data(), kSamples * sizeof(int));
            for (auto &plan : bank)
            {
                sonar::verify(cudaMemcpyAsync(plan->input(), h_ping, kSamples * sizeof(int),
                                              cudaMemcpyHostToDevice, stream));
                plan->execute(stream);
            }
            sonar::verify(cudaStreamSynchronize(stream));
            for (auto &plan : bank)
            {
                sonar::verify(cudaMemcpy(out.data(), plan->output(), kSamples * sizeof(int),
                                         cudaMemcpyDeviceToHost));
                wrong += compare(*plan, ping, out);
            }
        }
    }
    sonar::verify(cudaFreeHost(h_ping));
    sonar::verify(cudaStreamDestroy(stream));

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
