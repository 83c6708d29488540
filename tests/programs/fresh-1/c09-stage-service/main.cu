#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "service.h"

namespace {

constexpr uint32_t kCount = 1u << 18;

struct Stage {
    std::string name;
    std::function<void(StageService&, uint32_t* data)> run;
};

Stage mix_stage(uint32_t gain, uint32_t turn) {
    return {"mix", [=](StageService& svc, uint32_t* data) {
                DeviceBuffer<uint32_t> scratch(kCount);
                svc.submit(Op::Rotate, turn, data, scratch.get(), kCount);
                svc.submit(Op::Affine, gain, scratch.get(), data, kCount);
            }};
}

Stage scale_stage(uint32_t gain) {
    return {"scale", [=](StageService& svc, uint32_t* data) { svc.submit(Op::Affine, gain, data, data, kCount); }};
}

void mix_host(std::vector<uint32_t>& v, uint32_t gain, uint32_t turn) {
    std::vector<uint32_t> t(v.size());
    for (uint32_t i = 0; i < kCount; ++i) {
        const uint32_t s = v[(i + turn) % kCount];
        t[i] = (s << 5) | (s >> 27);
    }
    for (uint32_t i = 0; i < kCount; ++i) v[i] = t[i] * gain + 1u;
}

}  // namespace

int main() {
    std::vector<uint32_t> host(kCount), got(kCount);
    for (uint32_t i = 0; i < kCount; ++i) host[i] = i * 40503u + 11u;

    DeviceBuffer<uint32_t> data(kCount);
    check(cudaMemcpy(data.get(), host.data(), kCount * sizeof(uint32_t), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());

    StageService service;
    std::vector<Stage> pipeline;
    pipeline.push_back(scale_stage(9u));
    pipeline.push_back(mix_stage(5u, 77u));
    pipeline.push_back(mix_stage(7u, 1031u));
    pipeline.push_back(scale_stage(3u));

    service.start();
    for (const Stage& s : pipeline) {
        s.run(service, data.get());
        std::fprintf(stderr, "stage %s\n", s.name.c_str());
    }
    service.stop();
    check(cudaMemcpy(got.data(), data.get(), kCount * sizeof(uint32_t), cudaMemcpyDeviceToHost));

    for (auto& v : host) v = v * 9u + 1u;
    mix_host(host, 5u, 77u);
    mix_host(host, 7u, 1031u);
    for (auto& v : host) v = v * 3u + 1u;
    int wrong = 0;
    for (uint32_t i = 0; i < kCount; ++i) wrong += host[i] != got[i];
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
