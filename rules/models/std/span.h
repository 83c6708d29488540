// A view of elements that stand one behind the other somewhere else.
#pragma once

namespace std {

template <class T>
struct span {
    T* elements;
    size_t length;

    span() : elements(nullptr), length(0) {}
    template <class C>
    span(C& container) : elements(container.data()), length(container.size()) {}
    span(T* from, size_t count) : elements(from), length(count) {}

    T* data() const { return elements; }
    T* begin() const { return elements; }
    T* end() const { return elements + length; }
    size_t size() const { return length; }
    size_t size_bytes() const { return length * sizeof(T); }
    bool empty() const { return length == 0; }
    T& operator[](size_t index) const { return elements[index]; }
    T& front() const { return elements[0]; }
    T& back() const { return elements[length - 1]; }
    span first(size_t count) const { return span(elements, count); }
    span last(size_t count) const { return span(elements + (length - count), count); }
    span subspan(size_t from) const { return span(elements + from, length - from); }
    span subspan(size_t from, size_t count) const { return span(elements + from, count); }
};

}  // namespace std
