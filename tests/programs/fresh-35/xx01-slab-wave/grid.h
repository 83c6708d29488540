// Geometry of the survey area, its partition into slabs and the ring of time levels.
#pragma once

#include <cstdint>
#include <vector>

namespace acoustic {

// Pressure is kept in modular fixed point, so that every run is bit-reproducible.
using Cell = std::uint32_t;

constexpr int kTimeLevels = 3;

struct SurveyConfig {
    int columns = 512;
    int rows = 150;
    int steps = 12;
    // One entry per slab: microseconds that the attenuation model of its rock takes per step.
    std::vector<unsigned> layerCostMicros{6000, 18000, 9000};
};

// Which buffers hold the pressure of the last, the present and the coming step.
struct Levels {
    int prev;
    int cur;
    int next;

    static Levels at(int step) {
        return Levels{(step + 2) % kTimeLevels, step % kTimeLevels, (step + 1) % kTimeLevels};
    }
};

struct SlabExtent {
    int index = 0;
    int firstRow = 0;
    int rowCount = 0;
    unsigned costMicros = 0;
};

inline std::vector<SlabExtent> partition(const SurveyConfig& config) {
    const int parts = static_cast<int>(config.layerCostMicros.size());
    std::vector<SlabExtent> extents;
    int row = 0;
    for (int i = 0; i < parts; ++i) {
        const int remaining = parts - i;
        const int count = (config.rows - row) / remaining;
        extents.push_back(SlabExtent{i, row, count, config.layerCostMicros[i]});
        row += count;
    }
    return extents;
}

// The whole survey area on the host, row by row.
struct Field {
    int columns = 0;
    int rows = 0;
    std::vector<Cell> cells;

    Field(int columns_, int rows_)
        : columns(columns_), rows(rows_), cells(static_cast<std::size_t>(columns_) * rows_, 0) {}

    Cell* row(int r) { return cells.data() + static_cast<std::size_t>(r) * columns; }
    const Cell* row(int r) const { return cells.data() + static_cast<std::size_t>(r) * columns; }
};

struct Survey {
    Field before;   // pressure one step before the shot
    Field shot;     // pressure at the shot
    Field medium;   // squared velocity, scaled

    explicit Survey(const SurveyConfig& config);
};

// Advances the survey on the host and returns the last pressure field.
Field referenceSolution(const SurveyConfig& config, const Survey& survey);

}  // namespace acoustic
