#pragma once

#include <string>

namespace farm {

struct RenderConfig {
    int lanes = 4;
    int tiles = 16;
    int tile_edge = 64;
    unsigned tile_ms = 30;
    bool prioritised = false;
    bool isolated = false;
};

// Named set-ups of the farm.
inline RenderConfig profile(const std::string& name) {
    RenderConfig config;
    if (name == "interactive") {
        config.prioritised = true;
        config.isolated = true;
        config.tile_edge = 32;
    } else if (name == "final") {
        config.prioritised = true;
        config.tile_edge = 128;
    }
    return config;
}

}  // namespace farm
