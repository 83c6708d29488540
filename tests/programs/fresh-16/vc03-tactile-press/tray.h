#pragma once
// Tray of device sheets shared by the pages of a tactile atlas: a page draws a sheet, queues its work and
// sends the sheet off; when the page has landed in the book the sheet lies in the tray again.
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>
#include <cuda_runtime.h>

namespace press {

class CudaFault : public std::runtime_error {
public:
    explicit CudaFault(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void ok(cudaError_t code) {
    if (code != cudaSuccess) throw CudaFault(code);
}

class Tray;

class Sheet {
public:
    Sheet(Tray* home, std::size_t cells);
    ~Sheet();
    Sheet(const Sheet&) = delete;
    Sheet& operator=(const Sheet&) = delete;

    float* cells() const { return cells_; }

private:
    friend class Tray;
    void stamp(cudaStream_t stream) { ok(cudaEventRecord(settled_, stream)); }
    void settle() const { ok(cudaEventSynchronize(settled_)); }

    Tray* home_;
    float* cells_ = nullptr;
    cudaEvent_t settled_ = nullptr;
    int page_ = -1;
    bool out_ = false;
};

class Tray {
public:
    Tray(int sheets, std::size_t cells);

    Sheet& draw(int page);
    void send(Sheet& sheet, cudaStream_t stream);
    std::vector<int> record() const;

private:
    static void CUDART_CB landed(void* arg);
    Sheet& nextFree();
    void putBack(Sheet& sheet);

    mutable std::mutex desk_;
    std::vector<std::unique_ptr<Sheet>> sheets_;
    std::deque<Sheet*> underway_;
    std::vector<int> record_;
};

}  // namespace press
