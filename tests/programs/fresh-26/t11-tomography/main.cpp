// One CT study: projections in, archived slices out.
#include "archive.h"
#include <algorithm>

using namespace tomo;

namespace {

struct StudyConfig {
    int slices = 12;
    std::size_t outbox = 4;
};

int projectionAt(int slice, int i) { return (i * 7 + slice * 101) % 4001; }

class Detector {
public:
    explicit Detector(int slices) {
        void* p = nullptr;
        expect(cudaMallocHost(&p, static_cast<std::size_t>(kPixels) * slices * sizeof(int)));
        data_ = static_cast<int*>(p);
        for (int s = 0; s < slices; ++s)
            for (int i = 0; i < kPixels; ++i) data_[static_cast<std::size_t>(kPixels) * s + i] = projectionAt(s, i);
    }
    ~Detector() { cudaFreeHost(data_); }
    Detector(const Detector&) = delete;
    Detector& operator=(const Detector&) = delete;
    const int* slice(int s) const { return data_ + static_cast<std::size_t>(kPixels) * s; }

private:
    int* data_ = nullptr;
};

std::vector<long long> expected(int slices) {
    auto pixel = [](int s, int i) { return 2 * projectionAt(s, i) - projectionAt(s, (i + 1) % kPixels); };
    int peak = 0;
    for (int s = 0; s < slices; ++s)
        for (int i = 0; i < kPixels; ++i) peak = std::max(peak, pixel(s, i));
    std::vector<long long> sums(slices, 0);
    for (int s = 0; s < slices; ++s)
        for (int i = 0; i < kPixels; ++i) sums[s] += pixel(s, i) * 4096ll / peak;
    return sums;
}

long runStudy(const StudyConfig& config) {
    Detector detector(config.slices);
    Outbox<SliceImage> outbox(config.outbox);
    Reconstruction recon(config.slices, [&outbox](SliceImage s) { outbox.put(s); });
    std::promise<StudySummary> header;
    ArchiveWriter archive(outbox, header.get_future());
    for (int s = 0; s < config.slices; ++s) recon.enqueue(s, detector.slice(s));
    header.set_value(recon.finish());
    const std::vector<long long>& sums = archive.close();
    const std::vector<long long> want = expected(config.slices);
    long bad = 0;
    for (int s = 0; s < config.slices; ++s) bad += sums[s] != want[s];
    return bad;
}

}  // namespace

int main() {
    const long bad = runStudy(StudyConfig{});
    if (bad) std::printf("WRONG %ld\n", bad);
    else std::printf("DONE\n");
    return 0;
}
