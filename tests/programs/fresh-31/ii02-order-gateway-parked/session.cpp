#include "session.h"

#include <utility>

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
    auto it = live_.find(id);
    if (it == live_.end()) return;
    departed_.push_back(std::move(it->second));
    live_.erase(it);
}

void SessionDirectory::clear() {
    live_.clear();
    departed_.clear();
}

}  // namespace gw
