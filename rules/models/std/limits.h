// What the built-in numbers can hold.
#pragma once

namespace std {

template <class T>
struct numeric_limits {
    static T max() {
        if (static_cast<T>(-1) < static_cast<T>(1)) {
            T half = static_cast<T>(1) << (8 * sizeof(T) - 2);
            return half - 1 + half;
        }
        return static_cast<T>(-1);
    }
    static T min() {
        if (static_cast<T>(-1) < static_cast<T>(1)) {
            T half = static_cast<T>(1) << (8 * sizeof(T) - 2);
            return -half - half;
        }
        return static_cast<T>(0);
    }
    static T lowest() {
        if (static_cast<T>(-1) < static_cast<T>(1)) {
            T half = static_cast<T>(1) << (8 * sizeof(T) - 2);
            return -half - half;
        }
        return static_cast<T>(0);
    }
};

}  // namespace std
