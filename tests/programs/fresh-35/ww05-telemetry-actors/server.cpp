// Telemetry server: batches of sensor samples are reduced on the device and
// archived in order; every page of the archive is closed by running totals.

#include "device_actor.h"
#include <algorithm>
#include <cstdio>
#include <memory>

unsigned sample(int batch, int i)
{
    unsigned h = 2654435761u * unsigned(batch * kBatchSize + i + 1);
    h ^= h >> 15;
    return h % 100000u;
}

class ArchiveActor : public actors::Actor<Reduced> {
public:
    ArchiveActor() : Actor(kMailbox) {}
    void attach(DeviceActor& device) { device_ = &device; }

    const std::vector<unsigned>& peaks() const { return peaks_; }
    const std::vector<Totals>& pages() const { return pages_; }

protected:
    bool receive(Reduced& m) override
    {
        peaks_.push_back(m.peak);
        if ((m.batch + 1) % kPageBatches == 0) closePage(m.batch);
        return m.batch + 1 < kBatches;
    }

private:
    void closePage(int batch) { pages_.push_back(device_->totals(batch)); }
    DeviceActor* device_ = nullptr;
    std::vector<unsigned> peaks_;
    std::vector<Totals> pages_;
};

static int verify(const ArchiveActor& archive)
{
    int wrong = 0;
    Totals t{0, 0, 0};
    for (int b = 0; b < kBatches; ++b) {
        unsigned peak = 0;
        for (int i = 0; i < kBatchSize; ++i) {
            peak = std::max(peak, sample(b, i));
            t.sum += sample(b, i);
        }
        t.peak = std::max(t.peak, peak);
        t.count += kBatchSize;
        wrong += archive.peaks().at(b) != peak;
        if ((b + 1) % kPageBatches == 0) {
            const Totals& page = archive.pages().at(b / kPageBatches);
            wrong += page.sum != t.sum || page.peak != t.peak || page.count != t.count;
        }
    }
    return wrong;
}

int main()
{
    auto archive = std::make_unique<ArchiveActor>();
    auto device = std::make_unique<DeviceActor>(*archive);
    archive->attach(*device);

    archive->start();
    device->start();
    for (int b = 0; b < kBatches; ++b) device->tell({b});
    archive->join();
    device->tell({-1});
    device->join();

    const int wrong = verify(*archive);
    std::printf(wrong ? "WRONG %d\n" : "DONE\n", wrong);
    return 0;
}
