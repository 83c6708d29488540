#pragma once
// Recogniser: a front end computes features, a set of lanes scores them.
#include "models.cuh"
#include <functional>
#include <vector>

namespace voice {

struct ServerConfig {
    int lanes = 4;
    int batch = 8;  // utterances of one batch
};

class LaneRouter {
public:
    explicit LaneRouter(int lanes) {
        for (int i = 0; i < lanes; ++i) lanes_.push_back(Lane{makeStream(), makeEvent(), makeEvent()});
    }

    // Gives a piece of work behind what the front has been told so far to the next lane.
    void route(cudaStream_t front, const std::function<void(cudaStream_t)>& work) {
        Lane& lane = lanes_[turn_++ % lanes_.size()];
        must(cudaEventRecord(lane.ready.get(), front));
        must(cudaStreamWaitEvent(lane.stream.get(), lane.ready.get(), 0));
        work(lane.stream.get());
        must(cudaEventRecord(lane.scored.get(), lane.stream.get()));
    }

    void settle() {
        for (auto& lane : lanes_) must(cudaEventSynchronize(lane.scored.get()));
    }

private:
    struct Lane {
        Stream stream;
        Event ready;
        Event scored;
    };
    std::vector<Lane> lanes_;
    std::size_t turn_ = 0;
};

class Server {
public:
    explicit Server(const ServerConfig& config) : front_(makeStream()), router_(config.lanes) {
        for (int i = 0; i < config.batch; ++i) {
            calls_.push_back(Call{makeBuffer<short>(kSamples), makeBuffer<int>(kSamples), makeBuffer<int>(kSamples)});
            const std::vector<short> audio = recording(i);
            must(cudaMemcpy(calls_.back().audio.get(), audio.data(), kSamples * sizeof(short),
                            cudaMemcpyHostToDevice));
        }
    }

    static std::vector<short> recording(int n) {
        std::vector<short> audio(kSamples);
        for (int i = 0; i < kSamples; ++i) audio[i] = static_cast<short>((i * (n + 3)) % 2000 - 1000);
        return audio;
    }

    cudaStream_t front() const { return front_.get(); }

    void dispatch() {
        for (auto& c : calls_) {
            extractFeatures(c.audio.get(), c.features.get(), front_.get());
            router_.route(front_.get(), [&c](cudaStream_t s) { scoreAcoustics(c.features.get(), c.scores.get(), s); });
        }
    }

    void collect() { router_.settle(); }

    long mismatches() const {
        long bad = 0;
        std::vector<int> got(kSamples);
        for (std::size_t n = 0; n < calls_.size(); ++n) {
            const std::vector<short> audio = recording(static_cast<int>(n));
            must(cudaMemcpy(got.data(), calls_[n].scores.get(), kSamples * sizeof(int), cudaMemcpyDeviceToHost));
            for (int i = 0; i < kSamples; ++i) {
                const int f = audio[i] * 3 - audio[(i + 1) % kSamples];
                bad += got[i] != f * f % 1009;
            }
        }
        return bad;
    }

private:
    struct Call {
        Buffer<short> audio;
        Buffer<int> features;
        Buffer<int> scores;
    };
    Stream front_;
    LaneRouter router_;
    std::vector<Call> calls_;
};

}  // namespace voice
