#pragma once
#include "stages.hpp"
#include <functional>
#include <memory>
#include <vector>

namespace vpp {

// Processes frames in several lanes, each frame through all stages. A lane takes one frame at a time.
class Pipeline {
public:
    Pipeline(Size input, int lanes);
    ~Pipeline();
    Pipeline(const Pipeline &) = delete;

    Pipeline &add(std::unique_ptr<Stage> stage);
    Size outputSize() const;
    int lanes() const;

    // Returns the lane that took the frame; the pixels are copied before the call returns.
    int submit(const uint8_t *luma);
    // Waits for the lane's frame; valid until the lane's next frame
    const uint8_t *collect(int lane);

private:
    struct Lane;
    Size input_;
    int next_ = 0;
    bool ready_ = false;
    std::vector<std::unique_ptr<Stage>> stages_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    void prepare();
};

} // namespace vpp
