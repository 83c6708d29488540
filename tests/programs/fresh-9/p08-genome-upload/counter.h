#pragma once
#include "pinned_ring.h"
#include <array>
#include <string>

namespace kmer {

constexpr int kK = 6;
constexpr std::uint32_t kKmers = 1u << (2 * kK);

struct Settings {
    std::size_t bases_per_batch = 1u << 18;
    int max_batches = 16;
    int pinned_slots = 2;
    unsigned long long filter_ns = 30'000'000ull;   // minimizer filter per batch
};

class Counter {
  public:
    explicit Counter(const Settings& s);
    ~Counter();
    Counter(const Counter&) = delete;

    void submit(const std::string& bases);
    std::vector<std::uint32_t> finish();
    int batches() const { return batch_; }

  private:
    struct Lane {
        std::uint8_t* codes = nullptr;
        cudaEvent_t uploaded = nullptr;
        cudaEvent_t consumed = nullptr;
    };
    const std::uint8_t* encode(const std::string& bases);

    Settings set_;
    cudaStream_t upload_ = nullptr, compute_ = nullptr;
    PinnedRing ring_;
    std::array<Lane, 2> lanes_;
    std::uint32_t* counts_ = nullptr;
    int batch_ = 0;
};

inline std::uint8_t code_of(char base) { return static_cast<std::uint8_t>((base >> 1) & 3); }

}  // namespace kmer
