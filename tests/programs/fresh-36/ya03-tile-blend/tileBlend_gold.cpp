#include "tileBlend.h"

#include <algorithm>
#include <cmath>

void unsharpGold(float *result, const float *image, TileShape shape, float amount) {
    for (int y = 0; y < shape.height; ++y) {
        const float *row = image + y * shape.width;
        for (int x = 0; x < shape.width; ++x) {
            const float left = row[std::max(x - 1, 0)];
            const float right = row[std::min(x + 1, shape.width - 1)];
            const float blurred = 0.25f * left + 0.5f * row[x] + 0.25f * right;
            result[y * shape.width + x] = row[x] + amount * (row[x] - blurred);
        }
    }
}

int compareTile(const float *result, const float *reference, TileShape shape, float tolerance) {
    int bad = 0;
    for (int i = 0; i < shape.count(); ++i) {
        if (!(std::fabs(result[i] - reference[i]) <= tolerance)) ++bad;
    }
    return bad;
}
