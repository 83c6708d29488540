// One horizontal slab of the survey area with its own pressure buffers and queues.
#pragma once

#include "gpu.h"
#include "grid.h"

#include <array>

namespace acoustic {

enum class Side { Top, Bottom };

class Slab {
public:
    Slab(const SurveyConfig& config, const SlabExtent& extent);

    const SlabExtent& extent() const { return extent_; }

    // Uploads the starting pressure and the medium of this slab.
    void load(const Survey& survey);

    // Copies the adjoining row of a neighbour into the ghost row on `side`.
    void pullHalo(const Slab& neighbour, Side side, const Levels& levels);
    void closeHalo(const Levels& levels);

    // Computes the coming time level.
    void advance(const Levels& levels);

    // Reads one time level back into the rows of `target` that belong to this slab.
    void store(Field& target, int level) const;

    const Event& published(int level) const { return published_[level]; }
    const Cell* edgeRow(int level, Side side) const;

private:
    Cell* ghostRow(int level, Side side);
    std::size_t rowBytes() const { return static_cast<std::size_t>(columns_) * sizeof(Cell); }

    SlabExtent extent_;
    int columns_;
    std::array<DeviceArray<Cell>, kTimeLevels> pressure_;
    DeviceArray<Cell> medium_;

    Stream compute_;
    Stream halo_;
    std::array<Event, kTimeLevels> published_;
    std::array<Event, kTimeLevels> haloFilled_;
};

}  // namespace acoustic
