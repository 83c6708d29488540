#pragma once
// Archive side: writes slices, scaled to the range that the study header announces.
#include "outbox.h"
#include "recon.h"
#include <future>
#include <thread>

namespace tomo {

class ArchiveWriter {
public:
    ArchiveWriter(Outbox<SliceImage>& inbox, std::future<StudySummary> header)
        : inbox_(inbox), header_(std::move(header)), worker_([this] { work(); }) {}
    ~ArchiveWriter() {
        if (worker_.joinable()) worker_.join();
    }
    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

    const std::vector<long long>& close() {
        worker_.join();
        return sums_;
    }

private:
    void work() {
        const StudySummary study = header_.get();
        sums_.assign(study.slices, 0);
        for (int n = 0; n < study.slices; ++n) {
            const SliceImage slice = inbox_.get();
            long long sum = 0;
            for (int i = 0; i < kPixels; ++i) sum += slice.pixels[i] * 4096ll / study.peak;
            sums_[slice.number] = sum;
        }
    }

    Outbox<SliceImage>& inbox_;
    std::future<StudySummary> header_;
    std::vector<long long> sums_;
    std::thread worker_;
};

}  // namespace tomo
