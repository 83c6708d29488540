#pragma once
#include <array>
#include "tensor.h"

namespace vis {

constexpr std::size_t kFeatures = 1 << 20;

struct Verdict {
    std::uint32_t detection;
    std::uint32_t embedding;
};

__host__ __device__ inline std::uint32_t feature(std::uint32_t frame, std::uint32_t i)
{
    std::uint32_t h = (i + 1u) * 2654435761u + frame * 97u;
    h ^= h >> 16;
    return h * (2u * frame + 1u);
}

// One backbone, two heads; each has a stream of its own.
class Server {
public:
    explicit Server(int capacity);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    void handle(std::uint32_t frame, int slot);
    std::vector<Verdict> drain();

private:
    Tensor backbone(std::uint32_t frame);
    void detect(const Tensor& features, int slot);
    void embed(const Tensor& features, int slot);

    int capacity_;
    cudaStream_t trunk_ = nullptr;
    cudaStream_t detect_ = nullptr;
    cudaStream_t embed_ = nullptr;
    cudaEvent_t ready_ = nullptr;
    Verdict* verdicts_ = nullptr;
};

}  // namespace vis
