#pragma once
#include "device_buffer.h"
#include "engine.h"
#include <deque>
#include <memory>
#include <vector>

struct Book {
    explicit Book(int depth) : levels(depth), depth(depth) {}
    DeviceBuffer<long long> levels;
    int depth;
};

class Participant {
public:
    virtual ~Participant() = default;
    virtual int price(int day, int k) const = 0;
    virtual long long quantity(int day, int k) const = 0;
};

class Exchange {
public:
    Exchange(int days, int depth);
    void nextDay();
    void trade(const Participant& p, int day, int orders);
    long long settle() { return engine_.notional(); }
    void close() { engine_.halt(); }

private:
    std::deque<std::unique_ptr<Book>> calendar_;
    std::unique_ptr<Book> open_;
    std::vector<std::unique_ptr<Book>> archive_;
    Engine engine_;
};
