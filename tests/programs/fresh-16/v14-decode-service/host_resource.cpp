#include "host_resource.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace dec {

namespace {

class heap_resource final : public host_resource {
public:
    void* allocate(std::size_t bytes) override { return ::operator new(bytes); }
    void deallocate(void* p) override { ::operator delete(p); }
};

class page_locked_resource final : public host_resource {
public:
    void* allocate(std::size_t bytes) override
    {
        void* p = nullptr;
        expect_ok(cudaHostAlloc(&p, bytes, cudaHostAllocPortable));
        return p;
    }
    void deallocate(void* p) override { cudaFreeHost(p); }
};

heap_resource heap_instance;
page_locked_resource page_locked_instance;
host_resource* current_instance = &heap_instance;

}  // namespace

void expect_ok(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

host_resource* host_resource::current() { return current_instance; }
host_resource* host_resource::heap() { return &heap_instance; }
host_resource* host_resource::page_locked() { return &page_locked_instance; }

host_resource* host_resource::set_current(host_resource* r)
{
    host_resource* before = current_instance;
    current_instance = r;
    return before;
}

}  // namespace dec
