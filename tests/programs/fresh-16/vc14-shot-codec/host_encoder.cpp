#include <cmath>
#include "encoder.h"

namespace shot {
namespace {

class HostEncoder : public Encoder {
public:
    std::string name() const override { return "host"; }
    void load(const std::vector<float>& record) override {
        record_ = record;
        steps_.assign(record.size(), 0);
    }
    void encode() override {
        for (int t = 0; t < kTraces; ++t) {
            const float* in = record_.data() + t * kSamples;
            int* out = steps_.data() + t * kSamples;
            int last = 0;
            for (int s = 0; s < kSamples; ++s) {
                const int level = static_cast<int>(std::floor(in[s] * 64.0f));
                out[s] = level - last;
                last = level;
            }
        }
    }
    std::vector<int> steps() override { return steps_; }

private:
    std::vector<float> record_;
    std::vector<int> steps_;
};

}  // namespace

std::unique_ptr<Encoder> makeEncoder(Backend backend) {
    if (backend == Backend::device) return makeDeviceEncoder();
    return std::make_unique<HostEncoder>();
}

}  // namespace shot
