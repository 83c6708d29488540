#include "flatten.cuh"
#include "ring.cuh"

#include <deque>
#include <numeric>
#include <tuple>

namespace {

using namespace star;

struct Night {
    int exposures = 18;
    int depth = 3;
    int pixels = 1 << 18;
    long long dwell = 12'000'000;
};

unsigned adu(int exposure, int pixel) { return static_cast<unsigned>(exposure) * 40503u + static_cast<unsigned>(pixel) * 17u; }

class Tracker {
public:
    explicit Tracker(const Night& night) : night_(night)
    {
        ring_.reserve(night.depth);
        for (int i = 0; i < night.depth; ++i) ring_.emplace_back(night.pixels);
    }

    long long observe()
    {
        for (int exposure = 0; exposure < night_.exposures; ++exposure) {
            if (in_flight_.size() == ring_.size()) reap();
            expose(exposure, ring_[exposure % ring_.size()]);
        }
        while (!in_flight_.empty()) reap();
        return wrong_;
    }

private:
    void expose(int exposure, Slot& slot)
    {
        const auto [in, work, out] = std::tie(engines_[0], engines_[1], engines_[2]);
        const std::size_t bytes = sizeof(unsigned) * night_.pixels;

        slot.uploaded.join();
        for (int i = 0; i < night_.pixels; ++i) slot.plate.get()[i] = adu(exposure, i);

        slot.computed.before(in);
        STAR_CHECK(cudaMemcpyAsync(slot.raw.get(), slot.plate.get(), bytes, cudaMemcpyHostToDevice, in));
        slot.uploaded.set(in);

        slot.uploaded.before(work);
        slot.downloaded.before(work);
        flatten<<<64, 256, 0, work>>>(slot.raw.get(), slot.flat.get(), night_.pixels, static_cast<unsigned>(exposure), night_.dwell);
        STAR_CHECK(cudaGetLastError());
        slot.computed.set(work);

        slot.computed.before(out);
        STAR_CHECK(cudaMemcpyAsync(slot.catalogue.get(), slot.flat.get(), bytes, cudaMemcpyDeviceToHost, out));
        slot.downloaded.set(out);

        in_flight_.emplace_back(exposure, &slot);
    }

    void reap()
    {
        const auto [exposure, slot] = in_flight_.front();
        in_flight_.pop_front();
        slot->downloaded.join();
        for (int i = 0; i < night_.pixels; ++i)
            wrong_ += slot->catalogue.get()[i] != response(adu(exposure, i), static_cast<unsigned>(exposure));
    }

    Night night_;
    Engines<3> engines_;
    std::vector<Slot> ring_;
    std::deque<std::pair<int, Slot*>> in_flight_;
    long long wrong_ = 0;
};

}  // namespace

int main()
{
    const long long wrong = Tracker(Night{}).observe();
    if (wrong)
        std::printf("WRONG %lld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
