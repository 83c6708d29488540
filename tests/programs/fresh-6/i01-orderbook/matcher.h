#pragma once
#include "device_ptr.h"

#include <vector>

struct Order {
    int level;
    int qty;
};

enum class Op : int { None = 0, UseTable = 1, Match = 2, Shutdown = 3 };

// One cache line per direction, shared with the resident matcher.
struct Doorbell {
    int op;
    int first;
    int count;
    const int* table;
    int seq;
};
struct Ack {
    int seq;
};

struct MatcherConfig {
    int depth = 4096;
    int capacity = 1 << 14;
};

class Matcher {
public:
    explicit Matcher(MatcherConfig cfg);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    void open(const std::vector<int>& prices);
    void publish(const std::vector<int>& prices);
    void rollover();
    std::vector<long long> match(const std::vector<Order>& orders);
    void close();

private:
    void upload(int* dst, const std::vector<int>& prices);
    void send(Op op, int first = 0, int count = 0, const int* table = nullptr);

    MatcherConfig cfg_;
    cudaStream_t engine_{};
    cudaStream_t feed_{};
    DevicePtr<int> active_;
    DevicePtr<int> standby_;
    MappedPtr<int> staging_;
    MappedPtr<Order> orders_;
    MappedPtr<long long> fills_;
    MappedPtr<Doorbell> bell_;
    MappedPtr<Ack> ack_;
    int seq_ = 0;
    bool running_ = false;
};
