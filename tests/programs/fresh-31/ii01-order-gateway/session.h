#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device_buffer.h"
#include "types.h"

namespace gw {

class Session {
public:
    Session(std::uint32_t id, const GatewayConfig& config)
        : id_(id), journal_(config.journal_entries) {}

    Order next(std::int32_t price, std::int32_t qty) {
        return Order{id_, seq_++, price, qty, journal_.get()};
    }
    std::uint32_t sent() const { return seq_; }
    const Fill* journal() const { return journal_.get(); }

private:
    std::uint32_t id_;
    std::uint32_t seq_ = 0;
    DeviceBuffer<Fill> journal_;
};

class SessionDirectory {
public:
    std::shared_ptr<Session> admit(std::uint32_t id, const GatewayConfig& config);
    std::shared_ptr<Session> find(std::uint32_t id) const;
    void dismiss(std::uint32_t id);
    void clear();

private:
    std::map<std::uint32_t, std::shared_ptr<Session>> live_;
};

}  // namespace gw
