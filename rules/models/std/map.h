// Values under keys, several under one of them.
#pragma once
#include "set.h"

namespace std {

template <class K, class V, class Less = std::less<K>, class Allocator = cudalint::anything>
struct multimap : cudalint::sorted<std::pair<K, V>, cudalint::first_part, Less> {
    multimap() {}
    multimap(std::initializer_list<std::pair<K, V>> values) {
        for (const std::pair<K, V>& value : values) this->put(value);
    }

    auto insert(const std::pair<K, V>& value) {
        this->put(value);
        return this->find(value.first);
    }
    auto emplace(const K& key, const V& value) { return this->insert(std::pair<K, V>(key, value)); }
};

}  // namespace std
