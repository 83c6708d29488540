#include <cstdio>
#include <vector>
#include "plan.h"

namespace {

struct Preset {
    const char* name;
    eq::Curve curve;
};

float spectrum(int bin) { return float(bin % 64); }

}  // namespace

int main() {
    using eq::kBins;
    using eq::verify;
    const std::vector<Preset> presets = {
        {"flat", [](int) { return 1.0f; }},
        {"speech", [](int bin) { return bin % 8 < 4 ? 2.0f : 0.5f; }},
        {"night", [](int bin) { return bin % 3 == 0 ? 0.25f : 4.0f; }},
    };

    cudaStream_t stream;
    float *in, *out, *host;
    verify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    verify(cudaMalloc(&in, kBins * sizeof(float)));
    verify(cudaMalloc(&out, kBins * sizeof(float)));
    verify(cudaMallocHost(&host, kBins * sizeof(float)));
    for (int bin = 0; bin < kBins; ++bin) host[bin] = spectrum(bin);
    verify(cudaMemcpyAsync(in, host, kBins * sizeof(float), cudaMemcpyHostToDevice, stream));
    verify(cudaStreamSynchronize(stream));

    int wrong = 0;
    {
        eq::PinnedPool pool(4, kBins);
        std::vector<std::unique_ptr<eq::Plan>> bank;
        for (const Preset& p : presets) bank.push_back(eq::Plan::compile(p.name, p.curve, pool, in, out, stream));

        for (int round = 0; round < 2; ++round)
            for (std::size_t k = 0; k < bank.size(); ++k) {
                bank[k]->run(stream);
                verify(cudaMemcpyAsync(host, out, kBins * sizeof(float), cudaMemcpyDeviceToHost, stream));
                verify(cudaStreamSynchronize(stream));
                for (int bin = 0; bin < kBins; ++bin)
                    if (host[bin] != spectrum(bin) * presets[k].curve(bin)) ++wrong;
                if (bank[k]->runs() != round + 1) ++wrong;
            }
        bank.clear();
    }
    cudaFreeHost(host);
    cudaFree(out);
    cudaFree(in);
    cudaStreamDestroy(stream);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
