#include "server.h"
#include <cstdio>

using namespace llm;

static std::vector<float> makeActivations(int rows, int hidden, int salt) {
    std::vector<float> v(static_cast<std::size_t>(rows) * hidden);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>((i * 3 + salt) % 64);
    return v;
}

static long runTraffic(const ModelConfig& config, Server& server) {
    const std::vector<int> rows{1, 3, 4, 9, 16, 2, 1, 12};
    std::vector<std::vector<float>> sent;
    std::vector<std::future<Response>> replies;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        sent.push_back(makeActivations(rows[i], config.hidden, static_cast<int>(i)));
        replies.push_back(server.submit(rows[i], sent.back()));
    }
    long wrong = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Response r = replies[i].get();
        for (std::size_t k = 0; k < r.logits.size(); ++k) {
            int column = static_cast<int>(k % config.hidden);
            if (r.logits[k] != sent[i][k] * 0.5f + biasValue(r.bucket, column)) ++wrong;
        }
    }
    return wrong;
}

int main() {
    try {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        long wrong = 0;
        {
            ModelConfig config;
            PlanCache plans(config, stream);
            Server server(config, plans, stream);
            wrong = runTraffic(config, server);
        }
        check(cudaStreamDestroy(stream));
        if (wrong) std::printf("WRONG %ld\n", wrong);
        else std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
