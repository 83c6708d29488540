#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Options {
    int width = 320;
    int height = 192;
    int frames = 48;
    int streams = 2;
    int queue_depth = 8;
    int quality = 6;
    int encode_us = 1500;
};

inline bool parse_options(int argc, char** argv, Options& o) {
    struct Entry { const char* flag; int* value; };
    Entry table[] = {{"--width", &o.width},       {"--height", &o.height},  {"--frames", &o.frames},
                     {"--streams", &o.streams},   {"--queue", &o.queue_depth},
                     {"--quality", &o.quality},   {"--encode-us", &o.encode_us}};
    for (int i = 1; i < argc; ++i) {
        bool hit = false;
        for (auto& e : table) {
            if (std::strcmp(argv[i], e.flag) == 0 && i + 1 < argc) {
                *e.value = std::atoi(argv[++i]);
                hit = true;
                break;
            }
        }
        if (!hit) {
            std::fprintf(stderr, "unknown option %s\n", argv[i]);
            return false;
        }
    }
    return o.width > 0 && o.height > 0 && o.frames > 0 && o.streams > 0 && o.queue_depth > 0;
}
