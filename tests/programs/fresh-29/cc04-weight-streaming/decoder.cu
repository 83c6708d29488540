#include "decoder.h"

namespace model {

using rt::check;

Decoder::Decoder(const Checkpoint &ckpt)
    : hidden_(rt::device_vec(kWidth)), weight_slot_(rt::device_vec(kWidth)), input_(rt::pinned_vec(kWidth)),
      output_(rt::pinned_vec(kWidth)), staging_(kWidth * ckpt.kinds.size())
{
    for (std::size_t i = 0; i < ckpt.kinds.size(); ++i) layers_.push_back(make_layer(ckpt.kinds[i], ckpt.weights[i]));
}

Decoder::~Decoder()
{
    if (exec_) cudaGraphExecDestroy(exec_);
}

void Decoder::forward()
{
    check(cudaMemcpyAsync(hidden_.get(), input_.get(), kWidth * sizeof(float), cudaMemcpyHostToDevice, stream_));
    Context cx{stream_, staging_, hidden_.get(), weight_slot_.get()};
    staging_.begin(stream_);
    for (auto &l : layers_) {
        l->forward(cx);
        check(cudaGetLastError());
    }
    staging_.end(stream_);
    check(cudaMemcpyAsync(output_.get(), hidden_.get(), kWidth * sizeof(float), cudaMemcpyDeviceToHost, stream_));
}

std::vector<float> Decoder::run_eager(const std::vector<float> &x)
{
    std::copy(x.begin(), x.end(), input_.get());
    forward();
    check(cudaStreamSynchronize(stream_));
    return {output_.get(), output_.get() + kWidth};
}

void Decoder::compile()
{
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    forward();
    check(cudaStreamEndCapture(stream_, &graph));
    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

std::vector<float> Decoder::replay(const std::vector<float> &x)
{
    std::copy(x.begin(), x.end(), input_.get());
    check(cudaGraphLaunch(exec_, stream_));
    check(cudaStreamSynchronize(stream_));
    return {output_.get(), output_.get() + kWidth};
}

std::vector<float> Decoder::reference(std::vector<float> x) const
{
    for (auto &l : layers_) l->reference(x);
    return x;
}

} // namespace model
