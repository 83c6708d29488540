#include "secprof.h"

#include "event_pool.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

namespace {

struct Section {
    int name;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    bool closed;
};

}  // namespace

struct sp_profiler {
    cudaStream_t home = nullptr;
    EventPool pool;
    std::vector<sp_stats> stats;
    std::vector<Section> sections;
    std::vector<cudaEvent_t> frames;
    unsigned intervals = 0;
    double interval_ms = 0;
};

static int name_index(sp_profiler *p, const char *name) {
    for (std::size_t i = 0; i < p->stats.size(); ++i)
        if (std::strncmp(p->stats[i].name, name, SP_NAME_LENGTH - 1) == 0) return static_cast<int>(i);
    sp_stats fresh = {};
    std::snprintf(fresh.name, sizeof fresh.name, "%s", name);
    p->stats.push_back(fresh);
    return static_cast<int>(p->stats.size()) - 1;
}

int sp_create(sp_profiler **out, cudaStream_t home, int max_sections) {
    if (!out || max_sections <= 0) return cudaErrorInvalidValue;
    auto *p = new (std::nothrow) sp_profiler;
    if (!p) return cudaErrorMemoryAllocation;
    p->home = home;
    const cudaError_t code = p->pool.grow(3 * max_sections);
    if (code != cudaSuccess) {
        delete p;
        return code;
    }
    p->sections.reserve(static_cast<std::size_t>(max_sections));
    *out = p;
    return cudaSuccess;
}

void sp_destroy(sp_profiler *p) { delete p; }

int sp_frame(sp_profiler *p) {
    cudaEvent_t mark = p->pool.take();
    if (!mark) return cudaErrorNotReady;
    p->frames.push_back(mark);
    return cudaEventRecord(mark, p->home);
}

int sp_open(sp_profiler *p, const char *name, cudaStream_t stream) {
    if (!p->pool.has(2)) return -1;
    Section s = {name_index(p, name), stream, p->pool.take(), p->pool.take(), false};
    if (cudaEventRecord(s.begin, s.stream) != cudaSuccess) {
        p->pool.put(s.begin);
        p->pool.put(s.end);
        return -1;
    }
    p->sections.push_back(s);
    return static_cast<int>(p->sections.size()) - 1;
}

int sp_close(sp_profiler *p, int handle) {
    if (handle < 0 || static_cast<std::size_t>(handle) >= p->sections.size()) return cudaErrorInvalidValue;
    Section &s = p->sections[static_cast<std::size_t>(handle)];
    if (s.closed) return cudaErrorInvalidValue;
    s.closed = true;
    return cudaEventRecord(s.end, p->home);
}

int sp_collect(sp_profiler *p) {
    cudaError_t code = cudaSuccess;
    for (const Section &s : p->sections) {
        float ms = 0.f;
        if (s.closed && code == cudaSuccess) code = cudaEventElapsedTime(&ms, s.begin, s.end);
        if (s.closed && code == cudaSuccess) {
            sp_stats &stats = p->stats[static_cast<std::size_t>(s.name)];
            stats.min_ms = stats.calls ? std::min<double>(stats.min_ms, ms) : ms;
            stats.max_ms = stats.calls ? std::max<double>(stats.max_ms, ms) : ms;
            stats.total_ms += ms;
            ++stats.calls;
        }
        p->pool.put(s.begin);
        p->pool.put(s.end);
    }
    p->sections.clear();
    for (std::size_t i = 0; i + 1 < p->frames.size() && code == cudaSuccess; ++i) {
        float ms = 0.f;
        code = cudaEventElapsedTime(&ms, p->frames[i], p->frames[i + 1]);
        p->interval_ms += ms;
        ++p->intervals;
    }
    for (cudaEvent_t e : p->frames) p->pool.put(e);
    p->frames.clear();
    return code;
}

int sp_find(const sp_profiler *p, const char *name, sp_stats *out) {
    for (const sp_stats &stats : p->stats)
        if (std::strncmp(stats.name, name, SP_NAME_LENGTH - 1) == 0) {
            *out = stats;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

double sp_frame_interval(const sp_profiler *p) { return p->intervals ? p->interval_ms / p->intervals : 0.0; }
