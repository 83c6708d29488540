#include "stage.h"

namespace flow {

Stage::Stage(std::string name, std::initializer_list<const Stage*> inputs)
    : name_(std::move(name)), inputs_(inputs) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
}

Stage::~Stage() {
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
}

Section::Section(Stage& stage) : stage_(stage) {
    for (const Stage* in : stage_.inputs_) check(cudaStreamWaitEvent(stage_.stream_, in->ready_, 0));
}

Section::~Section() { check(cudaEventRecord(stage_.ready_, stage_.stream_)); }

Section::operator cudaStream_t() const { return stage_.stream_; }

}  // namespace flow
