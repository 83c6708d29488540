#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace flow {

inline void check(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

class Stage;

// Brackets the work that a stage puts into its stream.
class Section {
public:
    explicit Section(Stage& stage);
    ~Section();
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

    operator cudaStream_t() const;

private:
    Stage& stage_;
};

// One stream and the event other stages follow.
class Stage {
public:
    explicit Stage(std::string name, std::initializer_list<const Stage*> inputs = {});
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    Section open() { return Section(*this); }
    cudaStream_t stream() const { return stream_; }
    const std::string& name() const { return name_; }
    void finish() const { check(cudaStreamSynchronize(stream_)); }

private:
    friend class Section;
    std::string name_;
    std::vector<const Stage*> inputs_;
    cudaStream_t stream_{};
    cudaEvent_t ready_{};
};

}  // namespace flow
