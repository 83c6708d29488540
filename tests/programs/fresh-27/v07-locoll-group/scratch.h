#pragma once

#include <cstddef>

namespace locoll {

/// Device memory that a rank keeps from one operation to the next. Grows, never shrinks.
class Scratch {
public:
    explicit Scratch(std::size_t bytes);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    void reserve(std::size_t bytes);

    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace locoll
