#include "codec_api.h"
#include <cstdio>

namespace {

class Camera {
public:
    explicit Camera(int pixels) : frame_(pixels) {}

    const std::vector<unsigned char>& next() {
        for (std::size_t i = 0; i < frame_.size(); ++i) {
            frame_[i] = static_cast<unsigned char>((i * 7 + index_ * 13) & 0xff);
        }
        ++index_;
        return frame_;
    }

private:
    std::vector<unsigned char> frame_;
    unsigned index_ = 0;
};

long compare(const std::vector<unsigned char>& luma, const std::vector<unsigned char>& coded,
             unsigned targetBits) {
    unsigned sum = 0;
    for (unsigned char v : luma) sum += v;
    unsigned q = codec::chooseQuantizer(sum, targetBits);
    long wrong = 0;
    for (std::size_t i = 0; i < luma.size(); ++i) {
        if (coded[i] != luma[i] / q) ++wrong;
    }
    return wrong;
}

}  // namespace

int main() {
    codec::EncoderConfig config;
    codec::Session session(config);
    Camera camera(session.pixels());
    std::vector<unsigned char> coded;
    long wrong = 0;

    codec::Status status = session.open();
    for (int f = 0; status && f < config.frames; ++f) {
        const auto& luma = camera.next();
        status = session.encode(luma, coded);
        if (status) wrong += compare(luma, coded, config.targetBits);
    }

    if (!status) std::printf("ERROR %s\n", status.name().c_str());
    else if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return status && wrong == 0 ? 0 : 1;
}
