#include "session.h"

namespace gw {

std::shared_ptr<Session> SessionDirectory::admit(std::uint32_t id, const GatewayConfig& config) {
    auto session = std::make_shared<Session>(id, config);
    live_[id] = session;
    return session;
}

std::shared_ptr<Session> SessionDirectory::find(std::uint32_t id) const {
    auto it = live_.find(id);
    return it == live_.end() ? nullptr : it->second;
}

void SessionDirectory::dismiss(std::uint32_t id) {
    live_.erase(id);
}

void SessionDirectory::clear() {
    live_.clear();
}

}  // namespace gw
