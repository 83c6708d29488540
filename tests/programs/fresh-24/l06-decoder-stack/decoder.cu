#include "decoder.h"

namespace llm {

template <class T>
static DevicePtr<T> deviceArray(std::size_t n)
{
    T* p = nullptr;
    GPU_OK(cudaMalloc(&p, n * sizeof(T)));
    GPU_OK(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(p);
}

static StreamPtr newStream()
{
    cudaStream_t s;
    GPU_OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamPtr(s);
}

static EventPtr newEvent()
{
    cudaEvent_t e;
    GPU_OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return EventPtr(e);
}

Decoder::Decoder(Config c)
    : cfg_(c),
      main_(newStream()),
      x_(deviceArray<std::uint32_t>(c.dim)),
      kv_(deviceArray<std::uint32_t>(static_cast<std::size_t>(c.cacheStreams) * c.dim)),
      cache_(deviceArray<std::uint32_t>(static_cast<std::size_t>(c.layers) * c.maxTokens * c.dim)),
      state_(deviceArray<State>(1)),
      text_(deviceArray<int>(c.maxTokens))
{
    for (int i = 0; i < cfg_.cacheStreams; ++i) {
        side_.push_back(newStream());
        filled_.push_back(newEvent());
        appended_.push_back(newEvent());
    }
    GPU_OK(cudaDeviceSynchronize());
}

void Decoder::enqueueToken(int context)
{
    const int n = cfg_.cacheStreams;
    cudaStream_t s = main_.get();
    embed(x_.get(), state_.get(), cfg_, s);
    for (int l = 0; l < cfg_.layers; ++l) {
        const int k = l % n;
        if (l >= n)
            GPU_OK(cudaStreamWaitEvent(s, appended_[k].get(), 0));
        project(x_.get(), staging(l), l, cfg_, s);
        GPU_OK(cudaEventRecord(filled_[k].get(), s));

        GPU_OK(cudaStreamWaitEvent(side_[k].get(), filled_[k].get(), 0));
        append(staging(l), cache(l), state_.get(), cfg_, side_[k].get());
        GPU_OK(cudaEventRecord(appended_[k].get(), side_[k].get()));

        attend(x_.get(), cache(l), state_.get(), context, cfg_, s);
    }
    GPU_OK(cudaStreamWaitEvent(s, appended_[(cfg_.layers - 1) % n].get(), 0));
    sample(x_.get(), state_.get(), text_.get(), cfg_, s);
}

cudaGraphExec_t Decoder::graphFor(int pos)
{
    const int context = (pos / cfg_.bucket + 1) * cfg_.bucket;
    if (auto it = graphs_.find(context); it != graphs_.end())
        return it->second.get();

    GPU_OK(cudaStreamBeginCapture(main_.get(), cudaStreamCaptureModeThreadLocal));
    enqueueToken(context);
    cudaGraph_t g = nullptr;
    GPU_OK(cudaStreamEndCapture(main_.get(), &g));
    Handle<cudaGraph_t, GraphEnd> graph(g);
    cudaGraphExec_t exec = nullptr;
    GPU_OK(cudaGraphInstantiate(&exec, graph.get(), 0));
    return graphs_.emplace(context, ExecPtr(exec)).first->second.get();
}

std::vector<int> Decoder::generate(int firstToken, int count)
{
    const State begin{firstToken, 0};
    GPU_OK(cudaMemcpy(state_.get(), &begin, sizeof begin, cudaMemcpyHostToDevice));
    GPU_OK(cudaDeviceSynchronize());
    for (int pos = 0; pos < count; ++pos)
        GPU_OK(cudaGraphLaunch(graphFor(pos), main_.get()));
    GPU_OK(cudaStreamSynchronize(main_.get()));

    std::vector<int> text(count);
    GPU_OK(cudaMemcpy(text.data(), text_.get(), count * sizeof(int), cudaMemcpyDeviceToHost));
    return text;
}

}  // namespace llm
