// What containers whose elements stand one behind the other can do besides what the machine does itself: `size`, `begin`, `end`, `[]`,
// `push_back`, `emplace_back`, `pop_back`, `resize` and `clear`.
// for: std::vector std::deque std::list std::array std::initializer_list
#pragma once
#include "std/algorithm.h"
#include "std/iterator.h"

namespace cudalint {

template <class Container>
struct sequence : Container {
    template <class It, class T>
    It insert(It at, const T& value) {
        long index = at - this->begin();
        this->push_back(value);
        for (long i = this->size() - 1; i > index; --i) std::swap((*this)[i], (*this)[i - 1]);
        return this->begin() + index;
    }

    template <class It, class First>
    It insert(It at, First first, First last) {
        if (!cudalint::few(first, last)) {
            if (cudalint::short_of(first)) return this->insert_copies(at, first, last);
            cudalint::reads(first, last);
            cudalint::forget(*this);
            return cudalint::somewhere(at);
        }
        long index = at - this->begin();
        long count = this->size();
        for (; first != last; ++first) this->push_back(*first);
        std::rotate(this->begin() + index, this->begin() + count, this->end());
        return this->begin() + index;
    }

    template <class It, class T>
    It insert_copies(It at, long copies, const T& value) {
        long index = at - this->begin();
        long count = this->size();
        for (long i = 0; i < copies; ++i) this->push_back(value);
        std::rotate(this->begin() + index, this->begin() + count, this->end());
        return this->begin() + index;
    }

    template <class It, class... Args>
    It emplace(It at, Args&&... args) {
        long index = at - this->begin();
        this->emplace_back(args...);
        for (long i = this->size() - 1; i > index; --i) std::swap((*this)[i], (*this)[i - 1]);
        return this->begin() + index;
    }

    template <class T>
    void push_front(const T& value) {
        this->insert(this->begin(), value);
    }

    template <class... Args>
    void emplace_front(Args&&... args) {
        this->emplace(this->begin(), args...);
    }

    template <class It>
    It erase(It at) {
        long index = at - this->begin();
        if (!cudalint::known(index)) {
            cudalint::forget(*this);
            return cudalint::somewhere(at);
        }
        long last = this->size() - 1;
        for (long i = index; i < last; ++i) std::swap((*this)[i], (*this)[i + 1]);
        this->pop_back();
        return this->begin() + index;
    }

    template <class It>
    It erase(It first, It last) {
        if (!cudalint::few(first, last)) {
            cudalint::forget(*this);
            return cudalint::somewhere(first);
        }
        long index = first - this->begin();
        if (!cudalint::known(index)) {
            cudalint::forget(*this);
            return cudalint::somewhere(first);
        }
        long count = last - first;
        long rest = this->size() - count;
        for (long i = index; i < rest; ++i) std::swap((*this)[i], (*this)[i + count]);
        for (long i = 0; i < count; ++i) this->pop_back();
        return this->begin() + index;
    }

    template <class T>
    void fill(const T& value) {
        std::fill(this->begin(), this->end(), value);
    }

    template <class T>
    void resize(long count, const T& value) {
        while (this->size() > count) this->pop_back();
        while (this->size() < count) this->push_back(value);
    }

    void sort() {
        std::sort(this->begin(), this->end());
    }

    template <class Less>
    void sort(Less less) {
        std::sort(this->begin(), this->end(), less);
    }

    void reverse() {
        std::reverse(this->begin(), this->end());
    }

    auto rbegin() { return std::make_reverse_iterator(this->end()); }
    auto rend() { return std::make_reverse_iterator(this->begin()); }
    auto crbegin() { return std::make_reverse_iterator(this->end()); }
    auto crend() { return std::make_reverse_iterator(this->begin()); }
};

}  // namespace cudalint

namespace std {

template <class Container, class Predicate>
size_t erase_if(Container& container, Predicate predicate) {
    auto end = std::remove_if(container.begin(), container.end(), predicate);
    size_t count = container.end() - end;
    container.erase(end, container.end());
    return count;
}

template <class Container, class T>
size_t erase(Container& container, const T& value) {
    auto end = std::remove(container.begin(), container.end(), value);
    size_t count = container.end() - end;
    container.erase(end, container.end());
    return count;
}

}  // namespace std
