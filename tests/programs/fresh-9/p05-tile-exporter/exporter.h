#pragma once
#include "host_memory.h"
#include <vector>

namespace tiles {

struct ExportOptions {
    int lanes = 4;
    int edge = 512;
    unsigned long long shade_ns = 40'000'000ull;
    std::shared_ptr<HostResource> host = std::make_shared<HeapResource>();
};

class Exporter {
  public:
    explicit Exporter(ExportOptions opt);
    ~Exporter();
    Exporter(const Exporter&) = delete;

    void render(int lane, int tile);
    void wait(int lane);
    const HostArray<std::uint32_t>& image(int lane) const { return lanes_[lane].host; }
    std::size_t pixels() const { return std::size_t(opt_.edge) * opt_.edge; }
    int lanes() const { return opt_.lanes; }

  private:
    struct Lane {
        cudaStream_t stream;
        std::uint32_t* device;
        HostArray<std::uint32_t> host;
    };
    ExportOptions opt_;
    std::vector<Lane> lanes_;
};

__host__ __device__ inline std::uint32_t shade(std::uint32_t i, std::uint32_t tile) {
    return (i ^ (i >> 9)) * 2246822519u + tile * 374761393u;
}

}  // namespace tiles
