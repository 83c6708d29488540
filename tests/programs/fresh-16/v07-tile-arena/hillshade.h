#pragma once
#include "executor.h"

namespace tiles {

struct tile {
    int id;
    int edge;
    int* shaded;
};

// Terrain height at a pixel of a tile, in decimetres.
__host__ __device__ inline int height_at(int id, int pixel)
{
    return (pixel * (2 * id + 3) + id * 97) % 4093;
}

__host__ __device__ inline int shade(int here, int next) { return 2 * (next - here) + 7; }

void render(task_context& ctx, const tile& t);
void warm(lane_executor& ex, device_arena& arena, const tile& t);

}  // namespace tiles
