#pragma once

#include <cstddef>

namespace pixl {

/// Page-locked memory for small host tables, handed out front to back.
class Staging {
public:
    explicit Staging(std::size_t bytes);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    template <class T>
    T* take(std::size_t count) {
        return static_cast<T*>(takeBytes(count * sizeof(T)));
    }
    std::size_t bytes() const { return bytes_; }
    void reset() { used_ = 0; }

private:
    void* takeBytes(std::size_t bytes);

    unsigned char* base_ = nullptr;
    std::size_t bytes_;
    std::size_t used_ = 0;
};

}  // namespace pixl
