#include <cstdio>
#include <cstdlib>
#include <vector>

#include "demodulator.h"
#include "staging_ring.h"
#include "uplink_config.h"

void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

struct FrameHeader {
    int number;
    bool burst;
    std::size_t words;
};

class Receiver {
public:
    explicit Receiver(const UplinkConfig& config) : config_(config) {}

    bool next(FrameHeader& header) {
        if (number_ == config_.frames) return false;
        header.number = number_++;
        header.burst = header.number % config_.burst_every == config_.burst_every - 1;
        header.words = header.burst ? config_.max_words : config_.housekeeping_words;
        return true;
    }

    std::uint64_t read(const FrameHeader& header, std::uint32_t* into) const {
        std::uint32_t state = 0x9e3779b9u * static_cast<std::uint32_t>(header.number + 1);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < header.words; ++i) {
            state = state * 1664525u + 1013904223u;
            into[i] = state;
            sum += state ^ 0x5a5au;
        }
        return sum;
    }

private:
    const UplinkConfig config_;
    int number_ = 0;
};

struct LinkReport {
    int frames = 0;
    int damaged = 0;
    std::size_t words = 0;
};

LinkReport compare(const std::vector<std::uint64_t>& sent, const std::vector<std::uint64_t>& received,
                   const std::vector<std::size_t>& words) {
    LinkReport report;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        ++report.frames;
        report.words += words[i];
        if (sent[i] != received[i]) ++report.damaged;
    }
    return report;
}

}  // namespace

int main() {
    const UplinkConfig config;
    StagingRing ring(config);
    Demodulator demodulator(config, ring);
    Receiver receiver(config);

    std::vector<std::uint64_t> sent;
    std::vector<std::size_t> words;
    FrameHeader header;
    while (receiver.next(header)) {
        Slot& slot = ring.acquire(header.words);
        sent.push_back(receiver.read(header, slot.host));
        words.push_back(header.words);
        demodulator.feed(slot, header.number);
    }

    const LinkReport report = compare(sent, demodulator.finish(), words);
    std::fprintf(stderr, "%d frames, %zu words\n", report.frames, report.words);
    if (report.damaged) {
        std::printf("WRONG %d\n", report.damaged);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
