// A lane owns a stream and the device memory of one tile in flight.
#pragma once

#include "gpu_util.h"
#include "tile.h"

namespace mosaic {

class Lane {
public:
    Lane(const SceneConfig& config, EventPool& events);

    // Enqueues a tile; the event that is returned marks the upload of `staged`.
    UniqueEvent submit(int tile, const Pixel* staged, Pixel* destination);

    void finish();

private:
    SceneConfig config_;
    EventPool& events_;
    UniqueStream stream_;
    DevicePtr<Pixel> raw_;
    DevicePtr<Pixel> corrected_;
};

}  // namespace mosaic
