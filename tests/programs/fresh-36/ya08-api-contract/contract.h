#pragma once

#include <cuda_runtime.h>

#include <cstdio>

namespace contract {

// Intrusive list of cases, filled by static objects in every translation unit.
struct Case {
  using Function = void (*)(Case& self);

  Case(const char* name, Function function) : name(name), function(function), next(head()) {
    head() = this;
  }
  static Case*& head() {
    static Case* first = nullptr;
    return first;
  }

  void wantCode(cudaError_t got, cudaError_t want, const char* text, int line) {
    if (got == want) return;
    std::printf("  %s:%d  %s gave %s, wanted %s\n", name, line, text, cudaGetErrorName(got),
                cudaGetErrorName(want));
    ++misses;
  }
  void wantFailure(cudaError_t got, const char* text, int line) {
    if (got != cudaSuccess) return;
    std::printf("  %s:%d  %s was accepted\n", name, line, text);
    ++misses;
  }
  void wantTrue(bool ok, const char* text, int line) {
    if (ok) return;
    std::printf("  %s:%d  %s does not hold\n", name, line, text);
    ++misses;
  }

  const char* name;
  Function function;
  Case* next;
  int misses = 0;
  cudaError_t fatal = cudaSuccess;
};

}  // namespace contract

#define CONTRACT(Name)                                            \
  static void Name(contract::Case& self);                         \
  static contract::Case case_##Name(#Name, Name);                 \
  static void Name([[maybe_unused]] contract::Case& self)

#define GIVES(want, call) self.wantCode((call), (want), #call, __LINE__)
#define FAILS(call) self.wantFailure((call), #call, __LINE__)
#define HOLDS(condition) self.wantTrue((condition), #condition, __LINE__)

// Anything that must work for the case to make sense at all.
#define NEED(call)                         \
  do {                                     \
    const cudaError_t need_ = (call);      \
    if (need_ != cudaSuccess) {            \
      self.fatal = need_;                  \
      return;                              \
    }                                      \
  } while (0)
