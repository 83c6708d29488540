// Decoder of a small language model. Every block of the network has its own graph, so that blocks
// can be skipped by early exit; a token is a walk over the graphs.
#include "arena.h"
#include "layers.cuh"

#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using Layer = std::variant<llm::AttentionArgs, llm::MlpArgs>;

struct ExecDestroy {
    void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); }
};
using graph_exec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, ExecDestroy>;

std::vector<Layer> make_network(int blocks)
{
    std::vector<Layer> net;
    for (int b = 0; b < blocks; ++b) {
        const auto k = static_cast<std::uint32_t>(b);
        net.emplace_back(llm::AttentionArgs{2 * k + 3, 7 * k + 1});
        net.emplace_back(llm::MlpArgs{0x9e3779b9u * (k + 1), 13 * k + 5});
    }
    return net;
}

class Decoder {
public:
    explicit Decoder(std::vector<Layer> net) : net_(std::move(net)), arena_(4096)
    {
        llm::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        llm::check(cudaMalloc(&hidden_, llm::kHidden * sizeof(std::uint32_t)));
        llm::check(cudaMalloc(&args_, kArgBytes));
        for (const Layer& l : net_)
            graphs_.push_back(build(l));
    }
    ~Decoder()
    {
        graphs_.clear();
        cudaFree(args_);
        cudaFree(hidden_);
        cudaStreamDestroy(stream_);
    }

    std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& embedding, int tokens)
    {
        std::vector<std::uint32_t> out(embedding.size());
        const std::size_t bytes = embedding.size() * sizeof(std::uint32_t);
        llm::check(cudaMemcpyAsync(hidden_, embedding.data(), bytes, cudaMemcpyHostToDevice, stream_));
        for (int t = 0; t < tokens; ++t)
            for (const graph_exec& g : graphs_)
                llm::check(cudaGraphLaunch(g.get(), stream_));
        llm::check(cudaMemcpyAsync(out.data(), hidden_, bytes, cudaMemcpyDeviceToHost, stream_));
        llm::check(cudaStreamSynchronize(stream_));
        return out;
    }

private:
    static constexpr std::size_t kArgBytes = 64;

    graph_exec build(const Layer& layer)
    {
        arena_.rewind();
        llm::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        std::visit([this](const auto& a) { enqueue(a); }, layer);
        cudaGraph_t graph = nullptr;
        llm::check(cudaStreamEndCapture(stream_, &graph));

        cudaGraphExec_t exec = nullptr;
        llm::check(cudaGraphInstantiate(&exec, graph, 0));
        llm::check(cudaGraphDestroy(graph));
        return graph_exec(exec);
    }

    template <class Args>
    Args* stage(const Args& a)
    {
        static_assert(sizeof(Args) <= kArgBytes);
        const Args* host = arena_.make(a);
        llm::check(cudaMemcpyAsync(args_, host, sizeof(Args), cudaMemcpyHostToDevice, stream_));
        return static_cast<Args*>(args_);
    }

    void enqueue(const llm::AttentionArgs& a) { llm::attention(hidden_, stage(a), stream_); }
    void enqueue(const llm::MlpArgs& a) { llm::mlp(hidden_, stage(a), stream_); }

    std::vector<Layer> net_;
    llm::PinnedArena arena_;
    cudaStream_t stream_ = nullptr;
    std::uint32_t* hidden_ = nullptr;
    void* args_ = nullptr;
    std::vector<graph_exec> graphs_;
};

std::uint32_t reference(std::uint32_t x, const std::vector<Layer>& net, int tokens)
{
    for (int t = 0; t < tokens; ++t)
        for (const Layer& l : net) {
            if (const auto* a = std::get_if<llm::AttentionArgs>(&l))
                x = x * a->scale + a->shift;
            else if (const auto* m = std::get_if<llm::MlpArgs>(&l))
                x = (x ^ m->gate) + m->up;
        }
    return x;
}

}  // namespace

int main()
{
    constexpr int kTokens = 5;
    const auto net = make_network(4);
    std::vector<std::uint32_t> embedding(llm::kHidden);
    for (int i = 0; i < llm::kHidden; ++i)
        embedding[i] = 2654435761u * static_cast<std::uint32_t>(i);

    Decoder decoder(net);
    const auto out = decoder.run(embedding, kTokens);
    int wrong = 0;
    for (int i = 0; i < llm::kHidden; ++i)
        wrong += out[i] != reference(embedding[i], net, kTokens);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
