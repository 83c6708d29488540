// Keys in an order that nobody knows.
#pragma once
#include "set.h"

namespace std {

template <class T, class Hash = cudalint::anything, class Equal = cudalint::anything, class Allocator = cudalint::anything>
struct unordered_set : std::set<T> {
    unordered_set() {}
    unordered_set(std::initializer_list<T> values) {
        for (const T& value : values) this->insert(value);
    }
    void reserve(size_t count) {}

    auto begin() {
        if (this->items.size() > 1) return cudalint::somewhere(this->items.begin());
        return this->items.begin();
    }
};

}  // namespace std
