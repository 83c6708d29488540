// What a smart pointer does at its end, unless it is told otherwise.
#pragma once

namespace std {

template <class T>
T* addressof(T& object) {
    return cudalint::address_of(object);
}

template <class T>
struct default_delete {
    void operator()(T* object) const { delete object; }
};

}  // namespace std
