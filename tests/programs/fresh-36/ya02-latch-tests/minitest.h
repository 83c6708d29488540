#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace mini {

struct CudaFailure {
  cudaError_t code;
};

inline void require(cudaError_t code) {
  if (code != cudaSuccess) throw CudaFailure{code};
}

class Fixture {
 public:
  virtual ~Fixture() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
  virtual void Body() = 0;
  int param = 0;
};

struct Case {
  std::string name;
  int param;
  std::function<std::unique_ptr<Fixture>()> make;
};

class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  int add(const char* suite, const char* name, std::initializer_list<int> params,
          std::function<std::unique_ptr<Fixture>()> make) {
    for (int p : params) {
      std::string full = std::string(suite) + "." + name;
      if (params.size() > 1) full += "/" + std::to_string(p);
      cases_.push_back({full, p, make});
    }
    return static_cast<int>(cases_.size());
  }

  void fail(const char* file, int line, const char* what) {
    std::printf("  %s:%d: expectation failed: %s\n", file, line, what);
    ++failures_;
  }

  int runAll() {
    for (const Case& c : cases_) {
      const int before = failures_;
      std::printf("[ RUN  ] %s\n", c.name.c_str());
      std::fflush(stdout);
      std::unique_ptr<Fixture> test = c.make();
      test->param = c.param;
      test->SetUp();
      test->Body();
      test->TearDown();
      std::printf("[ %s ] %s\n", failures_ == before ? " OK " : "FAIL", c.name.c_str());
    }
    return failures_;
  }

 private:
  std::vector<Case> cases_;
  int failures_ = 0;
};

}  // namespace mini

#define MINI_CLASS(FixtureT, Name) FixtureT##_##Name

#define TEST_P(FixtureT, Name, ...)                                                        \
  struct MINI_CLASS(FixtureT, Name) : FixtureT {                                           \
    void Body() override;                                                                  \
  };                                                                                       \
  static const int FixtureT##_##Name##_registered = mini::Registry::instance().add(        \
      #FixtureT, #Name, {__VA_ARGS__},                                                     \
      [] { return std::unique_ptr<mini::Fixture>(new MINI_CLASS(FixtureT, Name)); });      \
  void MINI_CLASS(FixtureT, Name)::Body()

#define TEST_F(FixtureT, Name) TEST_P(FixtureT, Name, 0)

#define EXPECT_TRUE(cond)                                                          \
  do {                                                                             \
    if (!(cond)) mini::Registry::instance().fail(__FILE__, __LINE__, #cond);       \
  } while (0)

#define EXPECT_EQ(a, b) EXPECT_TRUE((a) == (b))
