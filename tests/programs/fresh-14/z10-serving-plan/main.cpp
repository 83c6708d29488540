// Inference server: plans are compiled on demand, weights come in through the store's loaders.
#include "cuda_error.h"
#include "plan.h"
#include "weights.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kWidth = 20000;

std::vector<int> make_request(int id)
{
    std::vector<int> r(kWidth);
    for (int i = 0; i < kWidth; ++i)
        r[i] = (i * 7 + id * 1009) % 5000;
    return r;
}

int count_errors(const std::vector<int>& request, const std::vector<int>& answer,
                 const std::vector<int>& layers)
{
    int wrong = 0;
    for (int i = 0; i < kWidth; ++i) {
        int v = request[i];
        for (int l : layers)
            v = std::max(0, v + serve::WeightStore::value(l, i)) % 100003;
        wrong += v != answer[i];
    }
    return wrong;
}

}  // namespace

int main()
{
    try {
        serve::check(cudaFree(nullptr));
        const std::vector<int> small{0, 1, 2};
        const std::vector<int> large{1, 2, 3, 4, 5};

        serve::WeightStore store(kWidth);
        int wrong = 0;
        for (const auto& layers : {small, large}) {
            serve::Plan plan(store, layers);
            plan.compile();
            for (int id = 0; id < 3; ++id) {
                const auto request = make_request(id);
                wrong += count_errors(request, plan.infer(request), layers);
            }
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const serve::CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        std::fflush(stdout);
        std::_Exit(1);
    }
}
