#pragma once

#include "commands.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace align {

constexpr int kReads = 1 << 14;
constexpr int kStages = 3;

class Engine {
public:
    explicit Engine(int batches);
    ~Engine();
    void execute(const Command& c);
    const std::vector<int>& finish();

private:
    // Free list threaded through an index array.
    struct Blocks {
        std::array<int, 8> next{};
        int head = 0;
        Blocks() {
            for (int i = 0; i < 8; ++i) next[i] = i + 1 < 8 ? i + 1 : -1;
        }
        int take() {
            const int b = head;
            head = next[b];
            return b;
        }
        void give(int b) {
            next[b] = head;
            head = b;
        }
    };
    struct Stage {
        std::uint8_t* host = nullptr;
        cudaEvent_t uploaded = nullptr;
    };
    struct Ticket {
        Engine* engine;
        int batch;
    };

    void encode(const Encode& e);
    void complement(const Complement& c);
    void score(const Score& s);
    std::uint8_t* block(int i) const { return arena_ + static_cast<std::size_t>(i) * kReads; }
    static void CUDART_CB on_scored(void* arg);

    cudaStream_t stream_ = nullptr;
    std::uint8_t* arena_ = nullptr;
    int* d_scores_ = nullptr;
    int* h_scores_ = nullptr;
    std::array<Stage, kStages> stages_;
    std::size_t turn_ = 0;
    Blocks blocks_;
    std::optional<int> reads_;
    std::vector<Ticket> tickets_;
    std::vector<int> results_;
    int outstanding_ = 0;
    std::mutex mutex_;
    std::condition_variable scored_;
};

}  // namespace align
