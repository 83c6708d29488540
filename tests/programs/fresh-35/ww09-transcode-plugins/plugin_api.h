// Transcoder plugin interface. Filters register a descriptor; the host hands
// them a table of services and a session handle.
#pragma once
#include <cstddef>
#include <cuda_runtime.h>

struct tc_session;

struct tc_services {
    void *(*scratch)(tc_session *s, std::size_t bytes);      // contents undefined
    unsigned *(*frame)(tc_session *s);
    std::size_t (*pixels)(tc_session *s);
    cudaStream_t (*queue)(tc_session *s);
    void (*report)(tc_session *s, cudaError_t e);
};

struct tc_filter {
    const char *name;
    const char *version;
    void (*enqueue)(const tc_services *host, tc_session *s);
    unsigned (*model)(unsigned pixel);
};

namespace tc {

constexpr unsigned long long kFilterNs = 10'000'000ull;

void registerFilter(const tc_filter &f);
const tc_filter *findFilter(const char *name);

struct Registrar {
    explicit Registrar(const tc_filter &f) { registerFilter(f); }
};

}  // namespace tc

#define TC_PLUGIN(ident, ...)                            \
    static const tc_filter ident##_descriptor = __VA_ARGS__; \
    static const tc::Registrar ident##_registrar(ident##_descriptor)
