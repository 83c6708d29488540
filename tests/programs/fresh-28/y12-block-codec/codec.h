#pragma once
#include <memory>
#include <vector>
#include "host_block.h"

namespace codec {

enum class Predictor { previous, linear };

// Residual coder for blocks of samples.  Blocks are coded in turn by several
// lanes, which run side by side.  submit() returns at once; `in` and `out`
// stay untouched until wait() for that lane or wait_all().
class BlockCodec {
public:
    BlockCodec(int lanes, size_t samples, Predictor predictor);
    ~BlockCodec();
    BlockCodec(const BlockCodec&) = delete;
    BlockCodec& operator=(const BlockCodec&) = delete;

    int submit(const HostBlock<int>& in, HostBlock<int>& out);  // returns the lane
    void wait(int lane);
    void wait_all();

private:
    class Scratch;
    std::vector<cudaStream_t> lanes_;
    cudaMemPool_t pool_ = nullptr;
    size_t samples_;
    Predictor predictor_;
    size_t turn_ = 0;
};

int residual(Predictor p, const int* x, size_t i);

}  // namespace codec
