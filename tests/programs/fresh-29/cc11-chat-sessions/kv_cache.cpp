#include "kv_cache.h"

namespace chat {

KvCache::KvCache()
{
    const std::size_t per_session = kMaxTokens + 2 * kChunk;
    check(cudaMalloc(reinterpret_cast<void **>(&slab_), kSessions * per_session * sizeof(unsigned)));
    for (int i = 0; i < kSessions; ++i) {
        unsigned *base = slab_ + i * per_session;
        view_.s[i] = SessionState{base, base + kMaxTokens, base + kMaxTokens + kChunk};
    }
}

KvCache::~KvCache() { cudaFree(slab_); }

} // namespace chat
