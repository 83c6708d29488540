#include <chrono>
#include <getopt.h>

#include "fleet.h"

struct BenchOptions {
    int width = 4;
    int blocks = 16;
    int threads = 128;
    int links = 400000;
    int repeats = 3;
};

static BenchOptions parse(int argc, char** argv) {
    BenchOptions o;
    static const option table[] = {{"width", required_argument, nullptr, 'w'},
                                   {"blocks", required_argument, nullptr, 'b'},
                                   {"links", required_argument, nullptr, 'l'},
                                   {"repeats", required_argument, nullptr, 'r'},
                                   {nullptr, 0, nullptr, 0}};
    for (int c; (c = getopt_long(argc, argv, "w:b:l:r:", table, nullptr)) != -1;) {
        if (c == 'w') o.width = std::atoi(optarg);
        else if (c == 'b') o.blocks = std::atoi(optarg);
        else if (c == 'l') o.links = std::atoi(optarg);
        else if (c == 'r') o.repeats = std::atoi(optarg);
        else std::exit(2);
    }
    return o;
}

static size_t verify(const std::vector<Job>& jobs) {
    size_t wrong = 0;
    for (const Job& j : jobs) {
        std::vector<uint32_t> out(j.chains());
        check(cudaMemcpy(out.data(), j.d_out, out.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        for (size_t t = 0; t < out.size(); t += out.size() / 5) {
            uint32_t x = chain_seed(j.id, int(t));
            for (int i = 0; i < j.links; ++i) x = mix(x);
            wrong += x != out[t];
        }
    }
    return wrong;
}

static int run(const BenchOptions& o) {
    Fleet fleet(o.width);
    std::vector<Job> jobs;
    double hashes = 0;
    for (int i = 0; i < o.width; ++i) {
        Job j{i, o.blocks, o.threads, o.links << i, nullptr};
        check(cudaMalloc(&j.d_out, j.chains() * sizeof(uint32_t)));
        hashes += j.hashes();
        jobs.push_back(j);
    }

    std::vector<Job> warm = jobs;
    for (Job& j : warm) j.links = 1000;
    fleet.submit(warm);
    check(cudaDeviceSynchronize());

    double device_ms = 0, wall_ms = 0;
    for (int r = 0; r < o.repeats; ++r) {
        auto t0 = std::chrono::steady_clock::now();
        fleet.open();
        fleet.submit(jobs);
        fleet.close();
        device_ms += fleet.elapsed_ms();
        check(cudaDeviceSynchronize());
        wall_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    }
    device_ms /= o.repeats;
    wall_ms /= o.repeats;
    std::printf("%.3f ms per batch, %.3f Ghash/s\n", device_ms, hashes / device_ms / 1e6);

    size_t wrong = verify(jobs);
    for (Job& j : jobs) check(cudaFree(j.d_out));
    double off = wall_ms / device_ms;
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else if (off > 1.5) std::printf("SLOW %.2f\n", off);
    else std::printf("DONE\n");
    return 0;
}

int main(int argc, char** argv) {
    try {
        return run(parse(argc, argv));
    } catch (const CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
