#include <cstdio>
#include <vector>

#include "session.h"

int main() {
    using namespace serve;
    constexpr std::size_t width = 1 << 16;
    constexpr int requests = 8, lanes = 4;
    const Model model;

    float* inbox = nullptr;
    must(cudaMallocHost(&inbox, requests * width * sizeof(float)));
    for (int r = 0; r < requests; ++r)
        for (std::size_t i = 0; i < width; ++i)
            inbox[r * width + i] = float((i + 131u * r) % 1024) + 2048.0f * r;

    BlockCache::instance().reserve(width, 2 * requests);
    int wrong = 0;
    {
        Session session(model, width, lanes);
        std::vector<Response> responses;
        for (int r = 0; r < requests; ++r)
            responses.push_back(session.infer(Request{r, inbox + r * width}));
        session.drain();

        std::vector<float> host(width);
        for (const Response& response : responses) {
            must(cudaMemcpy(host.data(), response.scores.data(), response.scores.bytes(),
                            cudaMemcpyDeviceToHost));
            const float* in = inbox + response.id * width;
            for (std::size_t i = 0; i < width; ++i)
                if (host[i] != model.scale * in[i] + model.bias) {
                    ++wrong;
                    break;
                }
        }
    }
    BlockCache::instance().trim();
    must(cudaFreeHost(inbox));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
