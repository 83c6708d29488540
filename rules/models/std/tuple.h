// Calls with the parts of a tuple.
#pragma once

namespace std {

template <class F, class Parts>
auto apply(F&& f, Parts&& parts) {
    return cudalint::call_with_parts(f, parts);
}

}  // namespace std
