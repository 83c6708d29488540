// What a smart pointer does at its end, unless it is told otherwise; places in memory.
#pragma once

namespace std {

template <class T>
T* addressof(T& object) {
    return cudalint::address_of(object);
}

// Where it comes to lie is not known, but that is in the same memory.
inline void* align(size_t alignment, size_t size, void*& pointer, size_t& space) {
    if (size > space) return nullptr;
    // Then it depends on where the pointer is.
    if (alignment - 1 + size > space && cudalint::unknown()) return nullptr;
    pointer = cudalint::somewhere(static_cast<char*>(pointer));
    space = cudalint::unknown();
    return pointer;
}

template <class T>
struct default_delete {
    void operator()(T* object) const { delete object; }
};

}  // namespace std
