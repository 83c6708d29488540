#pragma once
#include <memory>
#include <string>
#include <vector>

namespace shot {

constexpr int kTraces = 96;
constexpr int kSamples = 2048;
constexpr int kTotal = kTraces * kSamples;

// Delta encoder of one seismic shot record (kTraces x kSamples amplitudes to integer steps).
class Encoder {
public:
    virtual ~Encoder() = default;
    virtual std::string name() const = 0;
    virtual void load(const std::vector<float>& record) = 0;
    virtual void encode() = 0;
    virtual void finish() {}
    virtual std::vector<int> steps() = 0;
};

enum class Backend { host, device };

std::unique_ptr<Encoder> makeEncoder(Backend backend);
std::unique_ptr<Encoder> makeDeviceEncoder();

}  // namespace shot
