#include <cstdio>
#include <vector>

#include "scanner.h"

using namespace ct;

namespace {

std::vector<unsigned long long> expected() {
    std::vector<unsigned long long> v(kVoxels, 0);
    for (int view = 0; view < kViews; ++view) {
        for (int i = 0; i < kVoxels; ++i) {
            const int p = ray(view, i);
            v[static_cast<size_t>(i)] +=
                corrected(raw_pixel(view, p), table_entry(0, p), table_entry(1, p)) * static_cast<unsigned>(1 + view % 3);
        }
    }
    return v;
}

int error(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
}

}  // namespace

int main() {
    try {
        std::vector<unsigned long long> got;
        {
            Reconstructor reconstructor;
            Gantry gantry(reconstructor);
            const cudaError_t e = gantry.rotate();
            if (e != cudaSuccess) return error(e);
            got = reconstructor.volume();
        }
        const auto want = expected();
        long bad = 0;
        for (size_t i = 0; i < want.size(); ++i) bad += got[i] != want[i];
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const Failure& f) {
        return error(f.code);
    }
}
