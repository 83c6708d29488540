// Speculative decoding: a small model drafts ahead, the large one accepts a
// prefix and corrects the token after it.
#include <vector>

#include "models.cuh"
#include "verifier.cuh"

namespace {

// A chain of dependent tokens: one thread drafts.
__global__ void draft_kernel(uint32_t position, uint32_t last, int n, uint32_t* out) {
    for (int i = 0; i < n; ++i) {
        last = models::draft(position + i, last);
        out[i] = last;
    }
}

class Drafter {
public:
    Drafter() {
        expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        expect(cudaMalloc(&tokens_, sizeof(uint32_t) * models::kLookahead));
        expect(cudaMallocHost(&host_, sizeof(uint32_t) * models::kLookahead));
    }
    ~Drafter() {
        cudaFreeHost(host_);
        cudaFree(tokens_);
        cudaStreamDestroy(stream_);
    }
    Drafter(const Drafter&) = delete;

    const uint32_t* run(uint32_t position, uint32_t last) {
        draft_kernel<<<1, 1, 0, stream_>>>(position, last, models::kLookahead, tokens_);
        expect(cudaGetLastError());
        expect(cudaMemcpyAsync(host_, tokens_, sizeof(uint32_t) * models::kLookahead, cudaMemcpyDeviceToHost, stream_));
        expect(cudaStreamSynchronize(stream_));
        return host_;
    }
    const uint32_t* device_tokens() const { return tokens_; }

private:
    cudaStream_t stream_ = nullptr;
    uint32_t* tokens_ = nullptr;
    uint32_t* host_ = nullptr;
};

struct Session {
    std::vector<uint32_t> text;
    int rounds = 0;
};

Session generate(Drafter& drafter, Verifier& verifier, uint32_t prompt, size_t length) {
    Session s;
    s.text.push_back(prompt);
    const uint32_t* ahead = drafter.run(1, prompt);
    verifier.begin_session();
    while (s.text.size() < length) {
        const uint32_t position = uint32_t(s.text.size());
        if (s.rounds++) ahead = drafter.run(position, s.text.back());
        const Verifier::Verdict v = verifier.verify(position, s.text.back());
        s.text.insert(s.text.end(), ahead, ahead + v.accepted);
        s.text.push_back(v.correction);
    }
    verifier.end_session();
    s.text.resize(length);
    return s;
}

}  // namespace

int main() {
    constexpr size_t kLength = 600;
    int wrong = 0;
    {
        Drafter drafter;
        Verifier verifier(drafter.device_tokens());
        for (uint32_t prompt : {11u, 4242u, 31337u}) {
            const Session s = generate(drafter, verifier, prompt, kLength);
            std::fprintf(stderr, "%u: %.2f tokens per round\n", prompt, double(kLength) / s.rounds);
            uint32_t last = prompt;
            for (size_t i = 1; i < kLength; ++i) {
                last = models::target(uint32_t(i), last);
                wrong += s.text[i] != last;
            }
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
