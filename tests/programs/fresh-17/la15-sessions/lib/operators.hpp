#pragma once

#include "session.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace tern
{

/// A batch of rows in device memory.
struct batch
{
    std::uint32_t const * keys   = nullptr;
    std::uint32_t const * values = nullptr;
    std::size_t           rows   = 0;
};

struct group
{
    std::uint64_t count = 0;
    std::uint64_t sum   = 0;
};

using result_set = std::map<std::uint32_t, group>;

/// Push-based physical operator: open, any number of batches, close.
class physical_operator
{
public:
    virtual ~physical_operator() = default;
    virtual char const * name() const           = 0;
    virtual void         open(session & s)      = 0;
    virtual void         push(session & s, batch const & b) = 0;
    virtual result_set   close(session & s)     = 0;
};

/// SELECT key, count(*), sum(value) GROUP BY key, for keys in [0, max_groups).
class dense_aggregate final : public physical_operator
{
public:
    explicit dense_aggregate(std::size_t groups) : groups_(groups) {}
    char const * name() const override { return "dense_aggregate"; }
    void         open(session & s) override;
    void         push(session & s, batch const & b) override;
    result_set   close(session & s) override;

private:
    std::size_t groups_;
};

/// SELECT count(*) WHERE key = constant; the answer is group 0.
class point_count final : public physical_operator
{
public:
    explicit point_count(std::uint32_t key) : key_(key) {}
    char const * name() const override { return "point_count"; }
    void         open(session & s) override;
    void         push(session & s, batch const & b) override;
    result_set   close(session & s) override;

private:
    std::uint32_t key_;
};

/// Run `op` over all batches.
result_set execute(session & s, physical_operator & op, std::vector<batch> const & batches);

} // namespace tern
