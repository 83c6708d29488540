#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <string>

// Result of a step of the stitcher; the first failure travels up to main.
class Status {
public:
    static Status ok() { return Status(); }
    static Status from(cudaError_t code) {
        return code == cudaSuccess ? ok() : Status(cudaGetErrorName(code));
    }
    static Status from(CUresult code) {
        if (code == CUDA_SUCCESS) return ok();
        const char* name = nullptr;
        cuGetErrorName(code, &name);
        return Status(name ? name : "CUDA_ERROR_UNKNOWN");
    }

    bool good() const { return name_.empty(); }
    const std::string& name() const { return name_; }

private:
    Status() = default;
    explicit Status(const char* name) : name_(name) {}
    std::string name_;
};

#define RETURN_IF_BAD(expr)                       \
    do {                                          \
        Status status_ = Status::from(expr);      \
        if (!status_.good()) return status_;      \
    } while (0)

#define FORWARD_IF_BAD(expr)                      \
    do {                                          \
        Status status_ = (expr);                  \
        if (!status_.good()) return status_;      \
    } while (0)
