#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace mux {

struct MuxConfig {
    int gop = 4;                  // frames between two key frames
    int groups = 5;
    std::size_t payload_words = 4096;
    std::size_t backlog = 16;     // packets held between encoder and muxer
    unsigned encode_ms = 6;
};

inline MuxConfig preset(const std::string& name) {
    MuxConfig config;
    if (name == "preview") {
        config.gop = 2;
        config.backlog = 2;
        config.payload_words = 1024;
    } else if (name == "contribution") {
        config.gop = 12;
        config.backlog = 8;
        config.payload_words = 16384;
    } else if (name != "archive") {
        throw std::invalid_argument(name);
    }
    return config;
}

}  // namespace mux
