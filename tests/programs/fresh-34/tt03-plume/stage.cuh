// stage.cuh - common part of all stages (static polymorphism)
#pragma once

#include "policies.cuh"

template <class Derived, class StreamPolicy, class Handoff>
class Stage : public StreamPolicy, public Handoff {
public:
    // one time step of this stage
    template <class... Upstream>
    void advance(int step, const Upstream &...up)
    {
        (up.follow(this->stream()), ...);
        self().reset(step);
        Handoff::publish(this->stream());
        self().body(step);
        check(cudaGetLastError());
    }

    void drain() { check(cudaStreamSynchronize(this->stream())); }

private:
    Derived &self() { return static_cast<Derived &>(*this); }
};

// a flat array on the device
template <class T>
class Field {
public:
    explicit Field(int n) : n_(n)
    {
        check(cudaMalloc(&p_, n * sizeof(T)));
        check(cudaMemset(p_, 0, n * sizeof(T)));
        check(cudaDeviceSynchronize());
    }
    ~Field() { cudaFree(p_); }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;

    T *data() const { return p_; }
    int size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T *p_{};
    int n_;
};
