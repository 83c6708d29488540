#pragma once

#include <cstddef>

struct UplinkConfig {
    std::size_t slots = 4;
    std::size_t max_words = 1u << 18;       // an imaging burst
    std::size_t housekeeping_words = 48 * 1024;
    std::size_t inline_words = 64 * 1024;   // shorter frames do not go through the bulk lane
    int burst_every = 4;
    int frames = 20;
    unsigned demodulate_ms = 25;
};
