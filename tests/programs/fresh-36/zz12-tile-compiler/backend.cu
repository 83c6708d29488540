#include "backend.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace backend {

void fail(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

__device__ void latency() {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < 2'000'000);
    __syncthreads();
}

template <ir::Op O>
__global__ void tileOp(const float* a, const float* b, float* out) {
    latency();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (O == ir::Op::Add) out[i] = a[i] + b[i];
    if constexpr (O == ir::Op::Sub) out[i] = a[i] - b[i];
    if constexpr (O == ir::Op::Mul) out[i] = a[i] * b[i];
    if constexpr (O == ir::Op::Max) out[i] = a[i] > b[i] ? a[i] : b[i];
    if constexpr (O == ir::Op::Neg) out[i] = -a[i];
    if constexpr (O == ir::Op::Abs) out[i] = fabsf(a[i]);
}

class OpTable {
public:
    OpTable() : OpTable(std::make_index_sequence<kOps>{}) {}
    CUfunction operator[](ir::Op o) const { return functions_[static_cast<std::size_t>(o)]; }

private:
    static constexpr std::size_t kOps = static_cast<std::size_t>(ir::Op::kCount);
    template <std::size_t... I>
    explicit OpTable(std::index_sequence<I...>) {
        (rt(cudaGetFuncBySymbol(&functions_[I], reinterpret_cast<const void*>(&tileOp<static_cast<ir::Op>(I)>))), ...);
    }
    std::array<cudaFunction_t, kOps> functions_{};
};

// How many tiles and how many side lanes an expression takes.
struct Planner : ir::Visitor {
    int tiles = 0, lanes = 0;
    void visit(const ir::Literal&) override { ++tiles, lanes = 0; }
    void visit(const ir::Unary& u) override {
        u.arg->accept(*this);
        ++tiles;
    }
    void visit(const ir::Binary& b) override {
        b.lhs->accept(*this);
        const int left = lanes;
        b.rhs->accept(*this);
        lanes = 1 + std::max(left, lanes);
        ++tiles;
    }
};

struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t mark = nullptr;
};

class Emitter : public ir::Visitor {
public:
    Emitter(cudaStream_t origin, int sideLanes, float* arena, LiteralPool& literals)
        : lanes_(sideLanes + 1), next_(arena), literals_(literals) {
        for (Lane& l : lanes_) rt(cudaEventCreateWithFlags(&l.mark, cudaEventDisableTiming));
        lanes_[0].stream = origin;
        for (std::size_t i = 1; i < lanes_.size(); ++i) {
            rt(cudaStreamCreateWithFlags(&lanes_[i].stream, cudaStreamNonBlocking));
            idle_.push_back(&lanes_[i]);
        }
        here_ = &lanes_[0];
    }
    ~Emitter() override {
        for (std::size_t i = 1; i < lanes_.size(); ++i) cudaStreamDestroy(lanes_[i].stream);
        for (Lane& l : lanes_) cudaEventDestroy(l.mark);
    }

    float* value() const { return value_; }

    void visit(const ir::Literal& l) override {
        value_ = tile();
        drv(cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(value_), literals_.tile(l.index), kTile * sizeof(float), here_->stream));
    }

    void visit(const ir::Unary& u) override {
        u.arg->accept(*this);
        value_ = launch(u.op, value_, nullptr);
    }

    void visit(const ir::Binary& b) override {
        Lane* const home = here_;
        Lane* const side = idle_.back();
        idle_.pop_back();
        order(*home, *side);

        here_ = side;
        b.rhs->accept(*this);
        float* const rhs = value_;

        here_ = home;
        b.lhs->accept(*this);
        float* const lhs = value_;

        order(*side, *home);
        idle_.push_back(side);
        value_ = launch(b.op, lhs, rhs);
    }

private:
    static void order(Lane& first, Lane& then) {
        rt(cudaEventRecord(first.mark, first.stream));
        rt(cudaStreamWaitEvent(then.stream, first.mark, 0));
    }

    float* tile() {
        float* t = next_;
        next_ += kTile;
        return t;
    }

    float* launch(ir::Op op, float* a, float* b) {
        float* out = tile();
        void* args[] = {&a, &b, &out};
        drv(cuLaunchKernel(table_[op], kTile / 256, 1, 1, 256, 1, 1, 0, here_->stream, args, nullptr));
        return out;
    }

    OpTable table_;
    std::vector<Lane> lanes_;
    std::vector<Lane*> idle_;
    Lane* here_ = nullptr;
    float* next_;
    float* value_ = nullptr;
    LiteralPool& literals_;
};

}  // namespace

Module::Module(const ir::Node& root, LiteralPool& literals) {
    Planner plan;
    root.accept(plan);
    rt(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    rt(cudaMalloc(&arena_, plan.tiles * kTile * sizeof(float)));

    Emitter emitter(stream_, plan.lanes, arena_, literals);
    cudaGraph_t graph = nullptr;
    rt(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    root.accept(emitter);
    rt(cudaStreamEndCapture(stream_, &graph));
    rt(cudaGraphInstantiate(&exec_, graph, 0));
    rt(cudaGraphDestroy(graph));
    result_ = emitter.value();
}

Module::~Module() {
    cudaGraphExecDestroy(exec_);
    cudaFree(arena_);
    cudaStreamDestroy(stream_);
}

std::vector<float> Module::run() {
    std::vector<float> out(kTile);
    rt(cudaGraphLaunch(exec_, stream_));
    rt(cudaStreamSynchronize(stream_));
    rt(cudaMemcpy(out.data(), result_, kTile * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace backend
