// Calls of whatever can be called, and what stands for an operator.
#pragma once

namespace std {

template <class F, class... Args>
auto invoke(F&& f, Args&&... args) {
    return cudalint::call(f, args...);
}

template <class T = void>
struct less {
    template <class Left, class Right>
    bool operator()(const Left& a, const Right& b) const {
        return a < b;
    }
};

template <class T = void>
struct greater {
    template <class Left, class Right>
    bool operator()(const Left& a, const Right& b) const {
        return b < a;
    }
};

}  // namespace std
