#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace dec {

void expect_ok(cudaError_t e);

// Host memory behind tensors; the current resource serves new tensors.
class host_resource {
public:
    virtual ~host_resource() = default;
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void deallocate(void* p) = 0;

    static host_resource* current();
    static host_resource* set_current(host_resource* r);
    static host_resource* heap();
    static host_resource* page_locked();
};

class resource_scope {
public:
    explicit resource_scope(host_resource* r) : previous_(host_resource::set_current(r)) {}
    ~resource_scope() { host_resource::set_current(previous_); }
    resource_scope(const resource_scope&) = delete;
    resource_scope& operator=(const resource_scope&) = delete;

private:
    host_resource* previous_;
};

}  // namespace dec
