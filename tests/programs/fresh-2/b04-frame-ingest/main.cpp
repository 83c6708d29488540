#include "uploader.cuh"
#include <cstring>

namespace {

constexpr int kFrames = 16;
constexpr size_t kPixels = 320 * 240;

// Stand-in for the camera decoder: every frame has a flat grey level.
void decode(int index, unsigned char* px) { std::memset(px, 3 + 7 * index, kPixels); }

unsigned reference(int index) { return static_cast<unsigned>(3 + 7 * index) * static_cast<unsigned>(kPixels); }

}  // namespace

int main() {
    ingest::SlotPool pool(2, kPixels);
    ingest::Channel<ingest::Job> jobs;
    ingest::Uploader uploader(pool, jobs, kFrames, kPixels);

    std::thread camera([&] {
        for (int i = 0; i < kFrames; ++i) {
            ingest::Slot* slot = pool.acquire();
            decode(i, slot->data());
            jobs.put({i, slot});
        }
        jobs.finish();
    });
    camera.join();

    const std::vector<unsigned> sums = uploader.collect();
    int bad = 0;
    for (int i = 0; i < kFrames; ++i)
        if (sums[i] != reference(i)) ++bad;

    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
