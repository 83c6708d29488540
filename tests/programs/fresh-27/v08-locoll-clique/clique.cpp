#include "locoll.h"

namespace locoll {

namespace {
constexpr std::size_t kInitialElements = 256 * 1024;
}

Clique::Clique(int ranks) {
    if (ranks < 1 || ranks > kMaxRanks) throw Failure(cudaErrorInvalidValue);
    board_.ranks = ranks;
    LOCOLL_CALL(cudaMalloc(&board_.mailbox, sizeof(int) * kSlot * ranks));
    LOCOLL_CALL(cudaMalloc(&board_.ticks, sizeof(unsigned long long) * ranks));
    LOCOLL_CALL(cudaMemset(board_.ticks, 0, sizeof(unsigned long long) * ranks));
    for (int r = 0; r < ranks; ++r) {
        scratch_.push_back(std::make_unique<Scratch>(kInitialElements * sizeof(long long)));
    }
    prepareKernels();
    LOCOLL_CALL(cudaDeviceSynchronize());
}

Clique::~Clique() {
    cudaDeviceSynchronize();
    cudaFree(board_.mailbox);
    cudaFree(board_.ticks);
}

}  // namespace locoll
