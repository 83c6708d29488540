#pragma once
#include <string>

#include "buffers.h"

namespace media {

struct Segment {
    int number;
    std::size_t gop_bytes;
};

struct RenditionConfig {
    std::string label;
    int scale;
    unsigned long long encode_ns;
};

enum class State { idle, encoding, flushed };

class Rendition {
public:
    Rendition(RenditionConfig cfg, int segments);
    void encode(const Segment& seg);
    void flush();
    bool verify(int segments, const Segment* list) const;

private:
    unsigned char* scratch_for(const Segment& seg);

    RenditionConfig cfg_;
    Queue queue_;
    Surface scratch_;
    Surface checksums_;
    State state_ = State::idle;
};

}  // namespace media
