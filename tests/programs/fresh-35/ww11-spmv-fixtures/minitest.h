// minitest - fixtures, expectations and a runner in one header.
#pragma once
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace minitest {

struct Totals { int wrong = 0; double slow = 0; std::string error; };
inline Totals& totals() { static Totals t; return t; }

class Test {
public:
    virtual ~Test() = default;
    virtual void SetUp() {}
    virtual void TearDown() {}
    virtual void Body() = 0;
};

struct Case { const char *suite, *name; Test* (*make)(); };
inline std::vector<Case>& cases() { static std::vector<Case> c; return c; }
inline bool add(Case c) { cases().push_back(c); return true; }

inline void runOne(const Case& c)
{
    Test* t = c.make();
    try {
        t->SetUp();
        t->Body();
        t->TearDown();
    } catch (const std::exception& e) {
        if (totals().error.empty()) totals().error = e.what();
    }
    delete t;
    std::fprintf(stderr, "[ran] %s.%s\n", c.suite, c.name);
}

inline int runAll()
{
    for (const Case& c : cases()) runOne(c);
    const Totals& t = totals();
    if (!t.error.empty()) std::printf("ERROR %s\n", t.error.c_str());
    else if (t.wrong) std::printf("WRONG %d\n", t.wrong);
    else if (t.slow > 0) std::printf("SLOW %.2f\n", t.slow);
    else std::printf("DONE\n");
    return 0;
}

}  // namespace minitest

#define TEST_F(Fixture, Name)                                                            \
    class Fixture##_##Name : public Fixture { void Body() override; };                   \
    static const bool Fixture##_##Name##_added = minitest::add(                          \
        {#Fixture, #Name, [] { return static_cast<minitest::Test*>(new Fixture##_##Name); }}); \
    void Fixture##_##Name::Body()

#define EXPECT_EQ(a, b) ((a) == (b) ? void() : void(++minitest::totals().wrong))

#define EXPECT_WITHIN_FACTOR(a, b, f)                                                    \
    do {                                                                                 \
        const double a_ = (a), b_ = (b), r_ = a_ > b_ ? a_ / b_ : b_ / a_;               \
        if (!(r_ <= (f))) minitest::totals().slow = r_;                                  \
    } while (0)

#define ASSERT_CUDA(call)                                                                \
    do {                                                                                 \
        if (cudaError_t e_ = (call)) throw std::runtime_error(cudaGetErrorName(e_));     \
    } while (0)
