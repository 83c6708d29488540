#include "locoll.h"

namespace locoll {

void Group::allReduce(int rank, const int* in, int* out, int count, cudaStream_t stream) {
    if (rank < 0 || rank >= clique_.ranks() || count <= 0) throw Failure(cudaErrorInvalidValue);
    for (const Op& op : ops_) {
        if (op.rank == rank || op.count != count) throw Failure(cudaErrorInvalidValue);
    }
    ops_.push_back(Op{rank, in, out, count, stream});
}

void Group::commit() {
    if (static_cast<int>(ops_.size()) != clique_.ranks()) throw Failure(cudaErrorInvalidValue);
    const int count = ops_.front().count;
    for (const Op& op : ops_) {
        Scratch& scratch = *clique_.scratch_[op.rank];
        scratch.reserve(sizeof(long long) * op.count);
        launchAllReduce(AllReduceArgs{clique_.board_, op.rank, clique_.tick_, op.in, op.out,
                                      scratch.as<long long>(), op.count},
                        op.stream);
    }
    clique_.tick_ += ticksOf(count);
    ops_.clear();
}

}  // namespace locoll
