#pragma once
#include "common.h"

namespace chat {

// Per-session state on the device: the cache of keys seen so far, the tokens
// of the current turn and the reply to it.
struct SessionState {
    unsigned *cache;
    unsigned *turn;
    unsigned *reply;
};

class KvCache {
public:
    KvCache();
    ~KvCache();
    KvCache(const KvCache &) = delete;
    KvCache &operator=(const KvCache &) = delete;

    const SessionState &session(int i) const { return view_.s[i]; }

    struct View {
        SessionState s[kSessions];
    };
    const View &view() const { return view_; }

private:
    View view_{};
    unsigned *slab_ = nullptr;
};

} // namespace chat
