#include "node.h"

namespace rover {
namespace {
__constant__ int landmarks[8] = {14, 3, 27, 9, 41, 6, 33, 18};

// Scores 256 hypotheses around the pose against the landmarks and takes the best.
__global__ void scoreHypotheses(Pose* pose)
{
    __shared__ int best;
    if (threadIdx.x == 0) best = 1 << 30;
    __syncthreads();
    int score = 0;
    for (int l = 0; l < 8; ++l) score += abs(landmarks[l] - int(threadIdx.x % 48));
    atomicMin(&best, score * 256 + int(threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) {
        pose->x += best % 256;
        pose->sigma = 0;
        pose->fixes += 1;
    }
}

class Relocalise : public Node {
    void tick(Blackboard& board, int, cudaStream_t stream) override
    {
        scoreHypotheses<<<1, 256, 0, stream>>>(board.pose);
        ROVER_CHECK(cudaGetLastError());
    }
};

const Registrar<Relocalise> relocalise("relocalise");
}  // namespace
}  // namespace rover
