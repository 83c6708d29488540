#include "staging.h"

namespace weights {
namespace {

struct Loan {
    std::shared_ptr<SlotBoard> board;
    int slot;
};

void CUDART_CB finish(void* p)
{
    std::unique_ptr<Loan> loan(static_cast<Loan*>(p));
    loan->board->give(loan->slot);
}

}  // namespace

int SlotBoard::take()
{
    std::lock_guard<std::mutex> hold(mutex_);
    for (size_t i = 0; i < lent_.size(); ++i)
        if (!lent_[i]) {
            lent_[i] = true;
            return static_cast<int>(i);
        }
    return -1;
}

void SlotBoard::give(int slot)
{
    std::lock_guard<std::mutex> hold(mutex_);
    lent_[slot] = false;
}

int SlotBoard::lent() const
{
    std::lock_guard<std::mutex> hold(mutex_);
    int n = 0;
    for (bool b : lent_) n += b;
    return n;
}

Staging::Staging(int slots, size_t floats) : board_(std::make_shared<SlotBoard>(slots)), floats_(floats)
{
    status_ = cudaMallocHost(reinterpret_cast<void**>(&slab_), slots * floats * sizeof(float));
}

Staging::~Staging() { cudaFreeHost(slab_); }

cudaError_t Staging::release(int slot, cudaStream_t stream)
{
    cudaStreamCaptureStatus capturing;
    cudaGraph_t graph = nullptr;
    cudaError_t e = cudaStreamGetCaptureInfo(stream, &capturing, nullptr, &graph);
    if (e != cudaSuccess) return e;

    auto loan = std::make_unique<Loan>(Loan{board_, slot});
    if (capturing == cudaStreamCaptureStatusActive) {
        cudaUserObject_t object;
        e = cudaUserObjectCreate(&object, loan.get(), finish, 1, cudaUserObjectNoDestructorSync);
        if (e != cudaSuccess) return e;
        loan.release();
        return cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    }
    e = cudaLaunchHostFunc(stream, finish, loan.get());
    if (e == cudaSuccess) loan.release();
    return e;
}

}  // namespace weights
