#include "executor.h"

namespace {

constexpr int kWidth = 1024;
constexpr int kRows = 16;

struct layer_spec {
    const char* name;
    int scale;
    int bias;
};

constexpr layer_spec kLayers[] = {{"embed", 3, 1}, {"mix", -2, 40}, {"head", 5, -7}};

std::vector<infer::row_desc> rows_for(const layer_spec& l, const int* in, int* out)
{
    std::vector<infer::row_desc> rows;
    for (int r = 0; r < kRows; ++r)
        rows.push_back({in + r * kWidth, out + r * kWidth, l.scale, l.bias + r, kWidth});
    return rows;
}

}  // namespace

int main()
{
    constexpr int n = kRows * kWidth;
    constexpr int layers = static_cast<int>(sizeof kLayers / sizeof kLayers[0]);

    int* activations = nullptr;
    infer::verify(cudaMalloc(&activations, (layers + 1) * n * sizeof(int)));
    infer::verify(cudaMemset(activations, 0, (layers + 1) * n * sizeof(int)));
    infer::verify(cudaDeviceSynchronize());
    infer::pinned_array<int> request(n), reply(n);

    long wrong = 0;
    {
        infer::executor ex(kRows);
        std::vector<std::size_t> plans;
        for (int l = 0; l < layers; ++l)
            plans.push_back(ex.compile(
                kLayers[l].name,
                rows_for(kLayers[l], activations + l * n, activations + (l + 1) * n)));

        for (int query = 0; query < 5; ++query) {
            for (int i = 0; i < n; ++i) request[i] = (i * 17 + query) % 301;
            infer::verify(cudaMemcpyAsync(activations, request.data(), n * sizeof(int),
                                          cudaMemcpyHostToDevice, ex.stream()));
            for (std::size_t p : plans) ex.run(p);
            infer::verify(cudaMemcpyAsync(reply.data(), activations + layers * n,
                                          n * sizeof(int), cudaMemcpyDeviceToHost, ex.stream()));
            ex.wait();
            for (int i = 0; i < n; ++i) {
                int v = request[i];
                for (const layer_spec& l : kLayers) v = v * l.scale + l.bias + i / kWidth;
                wrong += reply[i] != v;
            }
        }
    }
    infer::verify(cudaFree(activations));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
