// The queue that hands out the greatest first.
#pragma once
#include "functional.h"

namespace std {

// Its elements stand in their order, the greatest last.
template <class T, class Container = cudalint::anything, class Less = std::less<T>>
struct priority_queue {
    std::vector<T> items;
    Less is_before;

    priority_queue() {}
    explicit priority_queue(const Less& order) : is_before(order) {}
    bool empty() const { return items.empty(); }
    size_t size() const { return items.size(); }
    const T& top() const { return items.back(); }
    void pop() { items.pop_back(); }
    void push(const T& value) {
        items.push_back(value);
        this->settle();
    }
    template <class... Args>
    void emplace(Args&&... args) {
        items.emplace_back(args...);
        this->settle();
    }
    void settle() {
        for (long i = items.size() - 1; i > 0; --i) {
            bool before = is_before(items[i], items[i - 1]);
            if (!cudalint::known(before)) {
                cudalint::writes(items.begin(), items.end());
                return;
            }
            if (!before) return;
            std::swap(items[i], items[i - 1]);
        }
    }
};

}  // namespace std
