#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace seismic {

inline void expect(cudaError_t e, const char* what) {
    if (e != cudaSuccess) throw std::runtime_error(std::string(cudaGetErrorName(e)) + " (" + what + ")");
}

#define EXPECT(call) ::seismic::expect((call), #call)

// A stream that is either played live or put on tape to be played again.
//
//   live --record()--> recording --cut()--> cut --play()--> cut ...
//
class Tape {
public:
    enum class State { kLive, kRecording, kCut };

    Tape() { EXPECT(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Tape() {
        cudaStreamSynchronize(stream_);
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
    }
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    cudaStream_t stream() const { return stream_; }
    State state() const { return state_; }

    void record() {
        transition(State::kLive, State::kRecording);
        EXPECT(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    }

    void cut() {
        cudaGraph_t graph = nullptr;
        EXPECT(cudaStreamEndCapture(stream_, &graph));
        transition(State::kRecording, State::kCut);
        EXPECT(cudaGraphInstantiate(&exec_, graph, 0));
        EXPECT(cudaGraphDestroy(graph));
    }

    void play() {
        if (state_ != State::kCut) throw std::logic_error("TapeNotCut");
        EXPECT(cudaGraphLaunch(exec_, stream_));
    }

    // Marks and waits that reach across the edge of the tape.
    void mark(cudaEvent_t e) {
        EXPECT(cudaEventRecordWithFlags(
            e, stream_, state_ == State::kRecording ? cudaEventRecordExternal : cudaEventRecordDefault));
    }
    void follow(cudaEvent_t e) {
        EXPECT(cudaStreamWaitEvent(stream_, e,
                                   state_ == State::kRecording ? cudaEventWaitExternal : cudaEventWaitDefault));
    }

    // Takes a look at intermediate results.
    template <class Look>
    void inspect(Look&& look) {
        if (state_ != State::kLive) return;
        EXPECT(cudaStreamSynchronize(stream_));
        look();
    }

private:
    void transition(State from, State to) {
        if (state_ != from) throw std::logic_error("TapeState");
        state_ = to;
    }

    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    State state_ = State::kLive;
};

}  // namespace seismic
