#pragma once
#include "scratch.h"
#include <memory>
#include <vector>

namespace etl {

constexpr int kGroups = 64;
constexpr int kSlots = 1 << 20;  // hash table slots per morsel

struct Morsel {
    const int* key;
    const int* value;
    int rows;
    unsigned long long* result;  // kGroups sums on the device
};

struct Lane {
    int id;
    cudaStream_t stream;
};

// What operators of one plan share.
struct ExecContext {
    ScratchPool pool;
    int selectAbove = 100;
    unsigned probeMicros = 20000;
};

class Operator {
public:
    virtual ~Operator() = default;
    virtual void enqueue(ExecContext& ctx, const Morsel& m, const Lane& lane) = 0;
};

class ClearResult : public Operator {
public:
    void enqueue(ExecContext& ctx, const Morsel& m, const Lane& lane) override;
};

class HashAggregate : public Operator {
public:
    void enqueue(ExecContext& ctx, const Morsel& m, const Lane& lane) override;
};

}  // namespace etl
