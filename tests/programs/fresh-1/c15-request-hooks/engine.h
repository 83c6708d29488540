#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <vector>

void guard(cudaError_t e);

struct Request {
    int id;
    const uint32_t* input;
    uint32_t* output;
    int n;
};

using Hook = std::function<void(const Request&, cudaStream_t)>;

class Engine {
public:
    class Builder {
    public:
        Builder& workers(int n) {
            workers_ = n;
            return *this;
        }
        Builder& after_request(Hook h) {
            hooks_.push_back(std::move(h));
            return *this;
        }
        Engine build() const { return Engine(workers_, hooks_); }

    private:
        int workers_ = 1;
        std::vector<Hook> hooks_;
    };

    Engine(const Engine&) = delete;
    Engine(Engine&& o) noexcept = default;
    ~Engine();

    void serve(const Request& r);
    void flush();

private:
    Engine(int workers, std::vector<Hook> hooks);
    std::vector<cudaStream_t> workers_;
    std::vector<Hook> hooks_;
};

// Running per-request checksums kept on the device.
class Audit {
public:
    explicit Audit(int requests);
    ~Audit();
    Hook hook();
    std::vector<uint32_t> read() const;

private:
    uint32_t* sums_ = nullptr;
    int requests_;
};
