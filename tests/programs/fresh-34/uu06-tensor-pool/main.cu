// Two towers of a retrieval model on two streams, fed from one caching allocator.
#include "tl/ops.h"

namespace {

constexpr std::size_t kFeatures = 1u << 16;
constexpr int kBatches = 8;

class StreamOwner {
public:
    StreamOwner() { tl::ok(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~StreamOwner() { cudaStreamDestroy(s_); }
    StreamOwner(const StreamOwner&) = delete;
    StreamOwner& operator=(const StreamOwner&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

// Query side: embeds, normalises, projects.
class QueryTower {
public:
    explicit QueryTower(cudaStream_t s) : stream_(s) {}

    tl::Tensor forward(int batch) {
        tl::StreamGuard guard(stream_);
        tl::Tensor tokens = tl::iota(kFeatures, 100u + batch);
        tl::Tensor embedded = tl::scale_add(tokens, 31u, 7u);
        tokens.reset();
        tl::Tensor normal = tl::normalise(embedded, 3u);
        embedded.reset();
        return tl::scale_add(normal, 5u, 11u);
    }

    static uint32_t expected(int batch, std::size_t i) {
        const uint32_t token = 100u + batch + static_cast<uint32_t>(i) * 2654435761u;
        const uint32_t e = token * 31u + 7u;
        const uint32_t n = (e >> 3) ^ (e * 2246822519u);
        return n * 5u + 11u;
    }

private:
    cudaStream_t stream_;
};

// Document side: two projections, multiplied.
class DocumentTower {
public:
    explicit DocumentTower(cudaStream_t s) : stream_(s) {}

    tl::Tensor forward(int batch) {
        tl::StreamGuard guard(stream_);
        const tl::Tensor tokens = tl::iota(kFeatures, 9000u + batch);
        const tl::Tensor left = tl::scale_add(tokens, 13u, 1u);
        const tl::Tensor right = tl::scale_add(tokens, 17u, 2u);
        return tl::multiply(left, right);
    }

    static uint32_t expected(int batch, std::size_t i) {
        const uint32_t token = 9000u + batch + static_cast<uint32_t>(i) * 2654435761u;
        return (token * 13u + 1u) * ((token * 17u + 2u) | 1u);
    }

private:
    cudaStream_t stream_;
};

struct Outputs {
    tl::Tensor query;
    tl::Tensor document;
};

template <class Tower>
int mismatches(const tl::Tensor& t, int batch) {
    const std::vector<uint32_t> host = t.to_host();
    int off = 0;
    for (std::size_t i = 0; i < host.size(); ++i) off += host[i] != Tower::expected(batch, i);
    return off;
}

int run() {
    StreamOwner query_stream;
    StreamOwner document_stream;
    {
        tl::StreamGuard guard(query_stream);
        tl::warm_up(kFeatures);
    }
    QueryTower query(query_stream);
    DocumentTower document(document_stream);

    std::vector<Outputs> outputs;
    for (int b = 0; b < kBatches; ++b) {
        Outputs o;
        o.query = query.forward(b);
        o.document = document.forward(b);
        outputs.push_back(std::move(o));
    }

    int off = 0;
    for (int b = 0; b < kBatches; ++b) {
        off += mismatches<QueryTower>(outputs[b].query, b);
        off += mismatches<DocumentTower>(outputs[b].document, b);
    }
    outputs.clear();
    const tl::AllocatorStats stats = tl::CachingAllocator::instance().stats();
    std::printf("blocks %d reused %d\n", stats.grown, stats.reused);
    tl::CachingAllocator::instance().trim();
    return off;
}

}  // namespace

int main() {
    const int off = run();
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
