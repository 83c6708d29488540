#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <variant>

namespace align {

template <class... Results>
void all_ok(Results... rcs) {
    const auto one = [](cudaError_t rc) {
        if (rc == cudaSuccess) return;
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    };
    (one(rcs), ...);
}

struct Encode {
    std::string_view bases;
    int batch;
};
struct Complement {
    int times;
};
struct Score {
    int batch;
    int weight;
};

using Command = std::variant<Encode, Complement, Score>;

template <class... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;

}  // namespace align
