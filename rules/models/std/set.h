// Keys in their order. Where nobody knows the order of two of them, as of handles and pointers, they stand as they came.
#pragma once
#include "sequence.h"
#include "functional.h"

namespace cudalint {

// Elements that are found by a key of theirs: `Key::of` says which.
template <class T, class Key, class Less>
struct sorted {
    std::vector<T> items;
    Less is_before;
    bool in_order = true;

    bool empty() const { return items.empty(); }
    size_t size() const { return items.size(); }
    void clear() {
        items.clear();
        in_order = true;
    }
    auto begin() { return items.begin(); }
    auto end() { return items.end(); }
    auto cbegin() { return items.begin(); }
    auto cend() { return items.end(); }
    auto rbegin() { return std::make_reverse_iterator(items.end()); }
    auto rend() { return std::make_reverse_iterator(items.begin()); }

    // The first element with a key, or -1.
    template <class K>
    long index_of(const K& key) {
        if (!cudalint::few(items.begin(), items.end())) return cudalint::unknown();
        for (long i = 0; i < items.size(); ++i) {
            bool same = Key::of(items[i]) == key;
            if (!cudalint::known(same)) return cudalint::unknown();
            if (same) return i;
        }
        return -1;
    }

    // The first element that is not before a key, or, `behind` it, the first that the key is before.
    template <class K>
    long bound_of(const K& key, bool behind) {
        if (!cudalint::few(items.begin(), items.end())) return cudalint::unknown();
        for (long i = 0; i < items.size(); ++i) {
            bool passed = behind ? is_before(key, Key::of(items[i])) : !is_before(Key::of(items[i]), key);
            if (!in_order || !cudalint::known(passed)) return cudalint::unknown();
            if (passed) return i;
        }
        return items.size();
    }

    auto at_index(long index) {
        if (!cudalint::known(index)) return cudalint::somewhere(items.begin());
        return items.begin() + index;
    }

    void put(const T& value) {
        long at = this->bound_of(Key::of(value), true);
        if (!cudalint::known(at)) {
            in_order = false;
            at = items.size();
        }
        items.insert(items.begin() + at, value);
    }

    template <class K>
    auto find(const K& key) {
        long index = this->index_of(key);
        if (cudalint::known(index) && index < 0) return items.end();
        return this->at_index(index);
    }
    template <class K>
    bool contains(const K& key) {
        return this->index_of(key) >= 0;
    }
    template <class K>
    size_t count(const K& key) {
        if (!cudalint::few(items.begin(), items.end())) return cudalint::unknown();
        size_t found = 0;
        for (long i = 0; i < items.size(); ++i) {
            bool same = Key::of(items[i]) == key;
            if (!cudalint::known(same)) return cudalint::unknown();
            if (same) ++found;
        }
        return found;
    }
    template <class K>
    auto lower_bound(const K& key) {
        return this->at_index(this->bound_of(key, false));
    }
    template <class K>
    auto upper_bound(const K& key) {
        return this->at_index(this->bound_of(key, true));
    }
    template <class K>
    auto equal_range(const K& key) {
        return std::make_pair(this->lower_bound(key), this->upper_bound(key));
    }

    // An element by its place, or all with a key.
    template <class X>
    auto erase(const X& which) {
        bool is_place = cudalint::leads_into(which, items);
        if (!cudalint::known(is_place)) {
            cudalint::forget(items);
            return cudalint::unknown();
        }
        if (is_place) return items.erase(which);
        size_t found = this->count(which);
        if (!cudalint::known(found)) {
            cudalint::forget(items);
            return found;
        }
        for (size_t i = 0; i < found; ++i) items.erase(items.begin() + this->index_of(which));
        return found;
    }
};

struct itself {
    template <class T>
    static const T& of(const T& element) {
        return element;
    }
};

struct first_part {
    template <class T>
    static const auto& of(const T& element) {
        return element.first;
    }
};

}  // namespace cudalint

namespace std {

template <class T, class Less = std::less<T>, class Allocator = cudalint::anything>
struct set : cudalint::sorted<T, cudalint::itself, Less> {
    set() {}
    set(std::initializer_list<T> values) {
        for (const T& value : values) this->insert(value);
    }
    template <class It>
    set(It first, It last) {
        this->insert(first, last);
    }

    auto insert(const T& value) {
        long index = this->index_of(value);
        bool is_new = index < 0;
        if (!cudalint::known(is_new)) {
            cudalint::forget(this->items);
        } else if (is_new) {
            this->put(value);
        }
        return std::make_pair(this->find(value), is_new);
    }
    template <class It>
    void insert(It first, It last) {
        for (; first != last; ++first) this->insert(*first);
    }
    template <class... Args>
    auto emplace(Args&&... args) {
        return this->insert(T(args...));
    }
};

template <class T, class Less = std::less<T>, class Allocator = cudalint::anything>
struct multiset : cudalint::sorted<T, cudalint::itself, Less> {
    multiset() {}
    multiset(std::initializer_list<T> values) {
        for (const T& value : values) this->put(value);
    }

    auto insert(const T& value) {
        this->put(value);
        return this->find(value);
    }
    template <class... Args>
    auto emplace(Args&&... args) {
        return this->insert(T(args...));
    }
};

}  // namespace std
