#include <algorithm>
#include <cstdio>

#include "dwell_engine.h"
#include "flight_recorder.h"

using namespace radar;

int main() {
    EngineConfig cfg;
    const int perSegment = 6;
    FlightRecorder recorder(4, perSegment);
    DwellEngine engine(cfg, recorder);
    std::size_t logged = 0;
    recorder.onSegmentClose([&logged](const Segment& s) { logged += s.records.size(); });
    recorder.start();

    for (int d = 0; d < cfg.maxDwells; ++d) engine.submit(d);
    engine.drain();
    recorder.finish();

    long wrong = 0;
    const auto& segs = recorder.segments();
    if ((int)segs.size() != cfg.maxDwells / perSegment) ++wrong;
    unsigned long long lastCells = 0;
    int next = 0;
    for (const Segment& s : segs) {
        if (s.totals.cells < lastCells) ++wrong;
        lastCells = s.totals.cells;
        for (const DwellRecord& r : s.records) {
            unsigned peak = 0;
            for (int c = 0; c < cfg.cells; ++c) peak = std::max(peak, echo(r.dwell, c));
            if (r.dwell != next++ || r.peak != peak) ++wrong;
        }
    }
    Totals want;
    for (int d = 0; d < cfg.maxDwells; ++d)
        for (int c = 0; c < cfg.cells; ++c) {
            want.detections += echo(d, c) > cfg.threshold;
            ++want.cells;
        }
    if (logged != (std::size_t)cfg.maxDwells) ++wrong;
    if (segs.empty() || segs.back().totals.cells != want.cells ||
        segs.back().totals.detections != want.detections)
        ++wrong;

    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
