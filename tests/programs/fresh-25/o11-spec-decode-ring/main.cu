#include "verifier.cuh"

#include <thread>

namespace spec {
namespace {

// Extends the key/value cache by the tokens accepted in the previous round.
__global__ void extend_cache(unsigned* state, unsigned ms) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ms * 1000000ull);
    state[threadIdx.x] = mix(state[threadIdx.x], threadIdx.x);
}

__global__ void verify(unsigned* state, const int* draft, unsigned* score) {
    __shared__ unsigned part[kState];
    unsigned h = state[threadIdx.x];
    for (int i = 0; i < kDraftLen; ++i) h = mix(h, static_cast<unsigned>(draft[i]));
    state[threadIdx.x] = h;
    part[threadIdx.x] = h;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned s = 0;
        for (int i = 0; i < kState; ++i) s += part[i];
        *score = s;
    }
}

std::vector<int> propose(int round) {
    std::vector<int> t(kDraftLen);
    for (int i = 0; i < kNodes; ++i) t[i] = (round * 131 + i * 17) % 32000;
    for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j < kNodes; ++j)
            t[kNodes + i * kNodes + j] = j == i || (j < i && (i + j + round) % 3 == 0);
    return t;
}

std::vector<unsigned> reference(int rounds) {
    std::vector<unsigned> state(kState), scores;
    for (int r = 0; r < rounds; ++r) {
        const auto draft = propose(r);
        unsigned sum = 0;
        for (int k = 0; k < kState; ++k) {
            state[k] = mix(state[k], static_cast<unsigned>(k));
            for (int t : draft) state[k] = mix(state[k], static_cast<unsigned>(t));
            sum += state[k];
        }
        scores.push_back(sum);
    }
    return scores;
}

}  // namespace

Verifier::Verifier(int max_rounds) : staging_(kDraftLen) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaMalloc(&state_, kState * sizeof(unsigned)));
    must(cudaMalloc(&draft_, kDraftLen * sizeof(int)));
    must(cudaMalloc(&scores_, max_rounds * sizeof(unsigned)));
    must(cudaMemset(state_, 0, kState * sizeof(unsigned)));
    must(cudaDeviceSynchronize());
}

Verifier::~Verifier() {
    cudaStreamSynchronize(stream_);
    cudaFree(state_);
    cudaFree(draft_);
    cudaFree(scores_);
    cudaStreamDestroy(stream_);
}

void Verifier::submit(const Draft& draft) {
    int* slot = staging_.acquire();
    for (int i = 0; i < kDraftLen; ++i) slot[i] = draft.tokens[i];
    staging_.release(stream_);

    extend_cache<<<1, kState, 0, stream_>>>(state_, 25);
    must(cudaMemcpyAsync(draft_, slot, kDraftLen * sizeof(int), cudaMemcpyHostToDevice, stream_));
    verify<<<1, kState, 0, stream_>>>(state_, draft_, scores_ + draft.round);
    must(cudaGetLastError());
}

std::vector<unsigned> Verifier::finish(int rounds) {
    std::vector<unsigned> out(rounds);
    must(cudaStreamSynchronize(stream_));
    must(cudaMemcpy(out.data(), scores_, rounds * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace spec

int main() {
    constexpr int kRounds = 12;
    spec::DraftQueue queue(4);
    spec::Verifier verifier(kRounds);

    std::thread drafter([&queue] {
        for (int r = 0; r < kRounds; ++r) queue.push({r, spec::propose(r)});
        queue.close();
    });
    while (auto draft = queue.pop()) verifier.submit(*draft);
    drafter.join();

    const auto got = verifier.finish(kRounds);
    const auto want = spec::reference(kRounds);
    long wrong = 0;
    for (int r = 0; r < kRounds; ++r) wrong += got[r] != want[r];
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
