#include "pipeline.hpp"
#include <cstring>

namespace vpp {

struct Pipeline::Lane {
    cudaStream_t stream = nullptr;
    std::vector<std::unique_ptr<Surface>> surfaces; // input of stage 0, then each stage's output
    uint8_t *hostIn = nullptr;
    uint8_t *hostOut = nullptr;
    bool busy = false;

    Lane() { VPP_CALL(cudaStreamCreate(&stream)); }
    ~Lane()
    {
        cudaStreamSynchronize(stream);
        surfaces.clear();
        cudaFreeHost(hostIn);
        cudaFreeHost(hostOut);
        cudaStreamDestroy(stream);
    }
    void wait()
    {
        if (busy)
            VPP_CALL(cudaStreamSynchronize(stream));
        busy = false;
    }
};

Pipeline::Pipeline(Size input, int lanes) : input_(input)
{
    if (lanes < 1 || input.width < 1 || input.height < 1)
        throw Error("Pipeline: bad configuration");
    for (int i = 0; i < lanes; ++i)
        lanes_.push_back(std::make_unique<Lane>());
}

Pipeline::~Pipeline() = default;

int Pipeline::lanes() const { return static_cast<int>(lanes_.size()); }

Pipeline &Pipeline::add(std::unique_ptr<Stage> stage)
{
    if (ready_)
        throw Error("Pipeline: stages must be added before the first frame");
    stages_.push_back(std::move(stage));
    return *this;
}

Size Pipeline::outputSize() const
{
    Size s = input_;
    for (const auto &st : stages_)
        s = st->outputSize(s);
    return s;
}

void Pipeline::prepare()
{
    for (auto &lane : lanes_) {
        Size s = input_;
        lane->surfaces.push_back(std::make_unique<Surface>(s));
        for (const auto &st : stages_) {
            s = st->outputSize(s);
            lane->surfaces.push_back(std::make_unique<Surface>(s));
        }
        VPP_CALL(cudaMallocHost(reinterpret_cast<void **>(&lane->hostIn), size_t(input_.width) * input_.height));
        VPP_CALL(cudaMallocHost(reinterpret_cast<void **>(&lane->hostOut), size_t(s.width) * s.height));
    }
    ready_ = true;
}

int Pipeline::submit(const uint8_t *luma)
{
    if (!ready_)
        prepare();
    const int id = next_;
    next_ = (next_ + 1) % lanes();
    Lane &lane = *lanes_[id];
    lane.wait();
    lane.busy = true;

    std::memcpy(lane.hostIn, luma, size_t(input_.width) * input_.height);
    const Plane &first = lane.surfaces[0]->plane();
    VPP_CALL(cudaMemcpy2DAsync(first.data, first.pitch, lane.hostIn, input_.width, input_.width, input_.height,
                               cudaMemcpyHostToDevice, lane.stream));
    for (size_t i = 0; i < stages_.size(); ++i)
        stages_[i]->enqueue(lane.surfaces[i]->plane(), lane.surfaces[i + 1]->plane(), lane.stream);

    const Plane &last = lane.surfaces.back()->plane();
    VPP_CALL(cudaMemcpy2DAsync(lane.hostOut, last.size.width, last.data, last.pitch, last.size.width, last.size.height,
                               cudaMemcpyDeviceToHost, lane.stream));
    return id;
}

const uint8_t *Pipeline::collect(int id)
{
    Lane &lane = *lanes_.at(id);
    lane.wait();
    return lane.hostOut;
}

} // namespace vpp
