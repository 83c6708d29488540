// Random numbers: nobody knows them, and whoever makes them knows nothing but its own state.
#pragma once

namespace std {

struct random_device {
    random_device() {}
    template <class Token>
    explicit random_device(const Token& token) {}
    unsigned operator()() { return cudalint::unknown(); }
    double entropy() const { return cudalint::unknown(); }
};

struct seed_seq {
    template <class... Seeds>
    seed_seq(const Seeds&... seeds) {}
};

struct mt19937 {
    mt19937() {}
    template <class Seed>
    explicit mt19937(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

struct mt19937_64 {
    mt19937_64() {}
    template <class Seed>
    explicit mt19937_64(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned long min() { return cudalint::unknown(); }
    static unsigned long max() { return cudalint::unknown(); }
    unsigned long operator()() { return cudalint::unknown(); }
};

struct minstd_rand {
    minstd_rand() {}
    template <class Seed>
    explicit minstd_rand(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

struct minstd_rand0 {
    minstd_rand0() {}
    template <class Seed>
    explicit minstd_rand0(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

struct ranlux24 {
    ranlux24() {}
    template <class Seed>
    explicit ranlux24(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

struct ranlux48 {
    ranlux48() {}
    template <class Seed>
    explicit ranlux48(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned long min() { return cudalint::unknown(); }
    static unsigned long max() { return cudalint::unknown(); }
    unsigned long operator()() { return cudalint::unknown(); }
};

struct knuth_b {
    knuth_b() {}
    template <class Seed>
    explicit knuth_b(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

struct default_random_engine {
    default_random_engine() {}
    template <class Seed>
    explicit default_random_engine(const Seed& seed) {}
    template <class... Seed>
    void seed(const Seed&... value) {}
    void discard(unsigned long count) {}
    static unsigned min() { return cudalint::unknown(); }
    static unsigned max() { return cudalint::unknown(); }
    unsigned operator()() { return cudalint::unknown(); }
};

template <class Number = int>
struct uniform_int_distribution {
    template <class... Settings>
    explicit uniform_int_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = double>
struct uniform_real_distribution {
    template <class... Settings>
    explicit uniform_real_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = double>
struct normal_distribution {
    template <class... Settings>
    explicit normal_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = double>
struct lognormal_distribution {
    template <class... Settings>
    explicit lognormal_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = double>
struct exponential_distribution {
    template <class... Settings>
    explicit exponential_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = double>
struct gamma_distribution {
    template <class... Settings>
    explicit gamma_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = int>
struct poisson_distribution {
    template <class... Settings>
    explicit poisson_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = int>
struct geometric_distribution {
    template <class... Settings>
    explicit geometric_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = int>
struct binomial_distribution {
    template <class... Settings>
    explicit binomial_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

template <class Number = int>
struct discrete_distribution {
    template <class... Settings>
    explicit discrete_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    Number operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

struct bernoulli_distribution {
    template <class... Settings>
    explicit bernoulli_distribution(const Settings&... settings) {}
    void reset() {}
    template <class Engine, class... Settings>
    bool operator()(Engine& engine, const Settings&... settings) {
        return cudalint::unknown();
    }
};

}  // namespace std
