#include "forecast.hpp"

namespace forecast {

float observedAt(int cycle, int cell) { return float((cycle * 19 + cell) % 13) * 0.125f; }

// Observations arrive in the background while the next cycle is set up.
std::future<Observations> fetchObservations(int cells, int cycle) {
    return std::async(std::launch::async, [cells, cycle] {
        std::vector<float> host(cells);
        for (int i = 0; i < cells; ++i) host[i] = observedAt(cycle, i);

        Observations obs;
        obs.cells = cells;
        cudaStream_t stream = nullptr;
        FC(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        FC(cudaMalloc(reinterpret_cast<void**>(&obs.field), cells * sizeof(float)));
        FC(cudaMemcpyAsync(obs.field, host.data(), cells * sizeof(float), cudaMemcpyHostToDevice, stream));
        FC(cudaStreamSynchronize(stream));
        FC(cudaStreamDestroy(stream));
        return obs;
    });
}

}  // namespace forecast
