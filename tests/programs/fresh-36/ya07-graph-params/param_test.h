#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CUDA_OK(call)                                            \
  do {                                                           \
    const cudaError_t status_ = (call);                          \
    if (status_ != cudaSuccess) {                                \
      std::printf("ERROR %s\n", cudaGetErrorName(status_));      \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

// Parametrised tests: every TEST_WITH registers one function and the list it is run over.
template <class Param>
class ParamTests {
 public:
  using Body = std::function<void(const Param&)>;

  static ParamTests& all() {
    static ParamTests tests;
    return tests;
  }

  bool add(std::string name, std::vector<Param> params, Body body) {
    entries_.push_back({std::move(name), std::move(params), std::move(body)});
    return true;
  }

  void expect(bool ok, const char* text, int line) {
    if (ok) return;
    std::printf("    line %d: %s\n", line, text);
    ++failed_;
  }

  int run() {
    for (const Entry& entry : entries_) {
      for (size_t i = 0; i < entry.params.size(); ++i) {
        std::printf("%s/%zu\n", entry.name.c_str(), i);
        entry.body(entry.params[i]);
      }
    }
    return failed_;
  }

 private:
  struct Entry {
    std::string name;
    std::vector<Param> params;
    Body body;
  };
  std::vector<Entry> entries_;
  int failed_ = 0;
};

#define TEST_WITH(Param, Name, ...)                                                        \
  static void Name(const Param& param);                                                    \
  static const bool Name##_added = ParamTests<Param>::all().add(#Name, __VA_ARGS__, Name); \
  static void Name(const Param& param)

#define EXPECT_THAT(Param, cond) ParamTests<Param>::all().expect((cond), #cond, __LINE__)
