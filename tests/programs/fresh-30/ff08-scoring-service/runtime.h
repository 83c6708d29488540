#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#define SVC_OK(call) ::svc::must((call))

namespace svc {
inline void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kFeatures = 32;

// Page-locked scratch of one engine, handed out front to back.
class Arena {
public:
    explicit Arena(std::size_t bytes) { SVC_OK(cudaMallocHost(&base_, bytes)); }
    ~Arena() { cudaFreeHost(base_); }

    template <class T>
    T* take(std::size_t n)
    {
        T* p = reinterpret_cast<T*>(base_ + used_);
        used_ += (n * sizeof(T) + 127) / 128 * 128;
        return p;
    }

    // Gives everything back that was taken during its life.
    class Scope {
    public:
        explicit Scope(Arena& arena) : arena_(arena), mark_(arena.used_) {}
        ~Scope() { arena_.used_ = mark_; }

    private:
        Arena& arena_;
        std::size_t mark_;
    };
private:
    char* base_ = nullptr;
    std::size_t used_ = 0;
};

struct Context {
    cudaStream_t stream = nullptr;
    Arena& scratch;
};

class Layer {
public:
    virtual ~Layer() = default;
    // in and out are [batch][kFeatures] on the device
    virtual void enqueue(Context& context, const float* in, float* out, int batch) = 0;
    virtual void reference(std::vector<float>& row) const = 0;
};

using Model = std::vector<std::unique_ptr<Layer>>;
Model makeModel();

// Runs a model for a few fixed batch sizes, one recorded plan each.
class Engine {
public:
    explicit Engine(Model model);
    ~Engine();
    int bucketFor(int requests) const { return plans_.lower_bound(requests)->first; }
    int largest() const { return plans_.rbegin()->first; }
    void infer(const std::vector<const float*>& rows, const std::vector<float*>& results);
    const Model& model() const { return model_; }
private:
    void forward(int batch);
    cudaGraphExec_t record(int batch);
    Model model_;
    Arena arena_;
    Context context_;
    float* activations_[2] = {};
    std::map<int, cudaGraphExec_t> plans_;
};
}  // namespace svc
