#include <atomic>
#include <chrono>
#include <memory>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "arena.h"
#include "engine.cuh"

struct ServerConfig {
    int lanes = 2;
    int requests = 40;
    size_t initial = 4096;
    size_t largest = 65536;
};

static ServerConfig parse(int argc, char** argv) {
    ServerConfig c;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string k = argv[i];
        if (k == "--lanes") c.lanes = std::stoi(argv[i + 1]);
        else if (k == "--requests") c.requests = std::stoi(argv[i + 1]);
        else if (k == "--initial") c.initial = std::stoul(argv[i + 1]);
        else if (k == "--largest") c.largest = std::stoul(argv[i + 1]);
    }
    return c;
}

struct Client {
    cudaStream_t copies{};
    float* h_in = nullptr;
    float* h_out = nullptr;
    DeviceArena in;
    DeviceArena out;

    Client(size_t initial, size_t largest) : in(initial), out(initial) {
        CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
        CHECK(cudaMallocHost(&h_in, largest * sizeof(float)));
        CHECK(cudaMallocHost(&h_out, largest * sizeof(float)));
    }
    ~Client() {
        cudaFreeHost(h_in);
        cudaFreeHost(h_out);
        cudaStreamDestroy(copies);
    }

    size_t session(Engine& engine, int lane, const ServerConfig& cfg, std::atomic<size_t>& served) {
        size_t wrong = 0;
        for (int r = 0; r < cfg.requests; ++r) {
            size_t n = 1024 + (cfg.largest - 1024) * r / (cfg.requests - 1);
            for (size_t i = 0; i < n; ++i) h_in[i] = float(int((i * 37 + r * 101 + lane) % 512) - 256);
            float* d_in = in.reserve(n);
            float* d_out = out.reserve(n);
            CHECK(cudaMemcpyAsync(d_in, h_in, n * sizeof(float), cudaMemcpyHostToDevice, copies));
            CHECK(cudaStreamSynchronize(copies));
            engine.score(lane, d_in, d_out, static_cast<uint32_t>(n));
            CHECK(cudaMemcpyAsync(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost, copies));
            CHECK(cudaStreamSynchronize(copies));
            for (size_t i = 0; i < n; ++i) {
                float x = h_in[i];
                float want = x > 0.f ? x * 0.75f : x * 0.0625f;
                wrong += h_out[i] != want;
            }
            served += n;
        }
        return wrong;
    }
};

int main(int argc, char** argv) {
    ServerConfig cfg = parse(argc, argv);
    Engine engine(cfg.lanes);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < cfg.lanes; ++i) clients.push_back(std::make_unique<Client>(cfg.initial, cfg.largest));

    engine.start();
    std::atomic<size_t> served{0};
    std::vector<size_t> wrong(cfg.lanes, 0);
    auto t0 = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (int i = 0; i < cfg.lanes; ++i)
        threads.emplace_back([&, i] { wrong[i] = clients[i]->session(engine, i, cfg, served); });
    for (auto& t : threads) t.join();
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    engine.stop();

    size_t total = 0;
    for (size_t w : wrong) total += w;
    std::printf("%zu samples, %.1f Msamples/s\n", served.load(), served.load() / sec / 1e6);
    clients.clear();
    if (total) std::printf("WRONG %zu\n", total);
    else std::printf("DONE\n");
    return 0;
}
