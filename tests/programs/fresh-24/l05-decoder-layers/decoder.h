#pragma once
#include "model.h"
#include <map>
#include <memory>
#include <type_traits>
#include <vector>

namespace llm {

struct StreamEnd { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct EventEnd { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };
struct GraphEnd { void operator()(cudaGraph_t g) const { cudaGraphDestroy(g); } };
struct ExecEnd { void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); } };
struct DeviceEnd { void operator()(void* p) const { cudaFree(p); } };

template <class H, class End>
using Handle = std::unique_ptr<std::remove_pointer_t<H>, End>;
using StreamPtr = Handle<cudaStream_t, StreamEnd>;
using EventPtr = Handle<cudaEvent_t, EventEnd>;
using ExecPtr = Handle<cudaGraphExec_t, ExecEnd>;
template <class T>
using DevicePtr = std::unique_ptr<T, DeviceEnd>;

class Decoder {
public:
    explicit Decoder(Config c);
    std::vector<int> generate(int firstToken, int count);

private:
    void enqueueToken(int context);
    cudaGraphExec_t graphFor(int pos);
    std::uint32_t* staging(int layer) const { return kv_.get() + layer % cfg_.cacheStreams * cfg_.dim; }
    std::uint32_t* cache(int layer) const { return cache_.get() + static_cast<std::size_t>(layer) * cfg_.maxTokens * cfg_.dim; }

    Config cfg_;
    StreamPtr main_;
    std::vector<StreamPtr> side_;
    std::vector<EventPtr> filled_, appended_;
    DevicePtr<std::uint32_t> x_, kv_, cache_;
    DevicePtr<State> state_;
    DevicePtr<int> text_;
    std::map<int, ExecPtr> graphs_;  // by context length
};

}  // namespace llm
