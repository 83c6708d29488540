// Surround-view rig: four cameras, each with its own recipe and stream. The frame time of the rig should be
// that of one camera; the program measures both.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "stages.hpp"

namespace {

constexpr int kWidth = 1024, kHeight = 768, kFrames = 6;

class Camera {
public:
    Camera(int id, Recipe recipe) : recipe_(std::move(recipe)), raw_(kWidth * kHeight), sensor_(kWidth, kHeight) {
        for (std::size_t i = 0; i < raw_.size(); ++i) raw_[i] = static_cast<float>((i * (id + 3)) % 256);
        must(cudaMemcpy(sensor_.data(), raw_.data(), sensor_.bytes(), cudaMemcpyHostToDevice));
        must(cudaDeviceSynchronize());
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~Camera() { cudaStreamDestroy(stream_); }
    Camera(const Camera&) = delete;

    void grab() { latest_ = develop(recipe_, sensor_, stream_); }
    void settle() { must(cudaStreamSynchronize(stream_)); }

    std::size_t mismatches() const {
        if (!latest_) return raw_.size();
        std::vector<float> got(raw_.size());
        must(cudaMemcpy(got.data(), latest_->data(), latest_->bytes(), cudaMemcpyDeviceToHost));
        const auto want = develop(recipe_, raw_, kWidth);
        std::size_t off = 0;
        for (std::size_t i = 0; i < got.size(); ++i) off += !(std::fabs(got[i] - want[i]) < 1e-2f);
        return off;
    }

private:
    Recipe recipe_;
    std::vector<float> raw_;
    Image sensor_;
    std::optional<Image> latest_;
    cudaStream_t stream_ = nullptr;
};

using Rig = std::vector<std::unique_ptr<Camera>>;

double shoot(const Rig& rig, std::size_t cameras, int frames) {
    const auto begin = std::chrono::steady_clock::now();
    for (int f = 0; f < frames; ++f)
        for (std::size_t c = 0; c < cameras; ++c) rig[c]->grab();
    for (std::size_t c = 0; c < cameras; ++c) rig[c]->settle();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    Rig rig;
    rig.push_back(std::make_unique<Camera>(0, Recipe{Vignette{0.8f}, Smooth{0.5f}, Smooth{0.4f}}));
    rig.push_back(std::make_unique<Camera>(1, Recipe{Smooth{0.6f}, Smooth{0.5f}, Vignette{0.3f}}));
    rig.push_back(std::make_unique<Camera>(2, Recipe{Smooth{0.25f}, Vignette{0.5f}, Smooth{0.75f}}));
    rig.push_back(std::make_unique<Camera>(3, Recipe{Binarise{127.5f}, Smooth{0.5f}, Vignette{0.9f}}));

    shoot(rig, rig.size(), 1);
    const double solo = shoot(rig, 1, kFrames);
    const double all = shoot(rig, rig.size(), kFrames);

    std::size_t off = 0;
    for (const auto& camera : rig) off += camera->mismatches();
    if (off)
        std::printf("WRONG %zu\n", off);
    else if (all / solo > 1.5)
        std::printf("SLOW %.2f\n", all / solo);
    else
        std::printf("DONE\n");
    return 0;
}
