#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "stage.h"

namespace retina {

class Pipeline {
public:
    explicit Pipeline(int scans) : scans_(scans) {}

    template <class S>
    Pipeline& add(const std::string& name, const std::string& upstream = {}) {
        auto stage = std::make_unique<S>(scans_);
        if (!upstream.empty()) stage->readFrom(stages_.at(upstream).get());
        stages_.emplace(name, std::move(stage));
        return *this;
    }

    void run() {
        for (int scan = 0; scan < scans_; ++scan)
            for (auto& entry : stages_) entry.second->submit(scan);
        for (auto& entry : stages_) must(cudaStreamSynchronize(entry.second->stream()));
    }

    std::vector<int> download(const std::string& name, int scan) const {
        std::vector<int> image(kPixels);
        must(cudaMemcpy(image.data(), stages_.at(name)->image(scan), kPixels * sizeof(int), cudaMemcpyDeviceToHost));
        return image;
    }

private:
    int scans_;
    std::map<std::string, std::unique_ptr<Stage>> stages_;
};

}  // namespace retina
