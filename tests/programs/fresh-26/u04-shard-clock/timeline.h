#pragma once
#include "drv.h"

#include <string>
#include <utility>
#include <vector>

// Named device spans, each between two events of the stream that it follows.
class Timeline {
public:
    explicit Timeline(CUstream stream) : stream_(stream) {}
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;
    ~Timeline()
    {
        for (auto& s : spans_) {
            cuEventDestroy(s.begin);
            cuEventDestroy(s.end);
        }
    }

    template <class Body>
    void span(std::string name, Body&& body)
    {
        Entry e;
        e.name = std::move(name);
        DRV(cuEventCreate(&e.begin, CU_EVENT_DEFAULT));
        DRV(cuEventCreate(&e.end, CU_EVENT_DEFAULT));
        DRV(cuEventRecord(e.begin, stream_));
        std::forward<Body>(body)();
        DRV(cuEventRecord(e.end, stream_));
        spans_.push_back(std::move(e));
    }

    float milliseconds(const std::string& name) const
    {
        float total = 0.f;
        for (const auto& s : spans_) {
            if (s.name != name)
                continue;
            float ms = 0.f;
            DRV(cuEventSynchronize(s.end));
            DRV(cuEventElapsedTime(&ms, s.begin, s.end));
            total += ms;
        }
        return total;
    }

private:
    struct Entry {
        std::string name;
        CUevent begin = nullptr;
        CUevent end = nullptr;
    };

    CUstream stream_;
    std::vector<Entry> spans_;
};
