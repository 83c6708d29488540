#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "survey.h"

using namespace seismic;

namespace {

struct Expected {
    std::vector<long long> stack;
    int first_peak = 0;
};

Expected on_host() {
    Expected e;
    e.stack.assign(kPoints, 0);
    std::vector<int> gather(kPoints);
    for (int shot = 0; shot < kShots; ++shot) {
        int peak = 0;
        for (int p = 0; p < kPoints; ++p) {
            gather[static_cast<size_t>(p)] = muted(geophone(shot, p), p);
            peak = std::max(peak, std::abs(gather[static_cast<size_t>(p)]));
        }
        if (shot == 0) e.first_peak = peak;
        for (int p = 0; p < kPoints; ++p) {
            e.stack[static_cast<size_t>(moved_out(p))] += static_cast<long long>(gather[static_cast<size_t>(p)]) * (1 + peak % 5);
        }
    }
    return e;
}

bool one_to_one() {
    std::vector<char> hit(kPoints, 0);
    for (int p = 0; p < kPoints; ++p) {
        char& h = hit[static_cast<size_t>(moved_out(p))];
        if (h) return false;
        h = 1;
    }
    return true;
}

}  // namespace

int main() {
    try {
        long bad = one_to_one() ? 0 : 1;
        std::vector<long long> got;
        Tuning tuning;
        {
            Processor processor;
            for (int shot = 0; shot < kShots; ++shot) processor.shoot(shot);
            got = processor.stack();
            tuning = processor.tuning();
        }
        const Expected want = on_host();
        for (size_t i = 0; i < got.size(); ++i) bad += got[i] != want.stack[i];
        bad += tuning.loops != 1;
        bad += tuning.peak != want.first_peak;
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        const std::string text = e.what();
        std::printf("ERROR %s\n", text.substr(0, text.find(' ')).c_str());
        return 1;
    }
}
