#pragma once
#include "plugin.h"

namespace grade {
// Stretch table of the levels operator: 256 entries on the device, made from the
// darkest and the brightest pixel of a frame.
class LevelsTable {
public:
    explicit LevelsTable(const Host& host);
    ~LevelsTable();
    LevelsTable(const LevelsTable&) = delete;

    void refresh(const FrameView& frame);
    const unsigned char* entries() const { return entries_; }
private:
    Host host_;
    unsigned char* entries_ = nullptr;
};
}  // namespace grade
