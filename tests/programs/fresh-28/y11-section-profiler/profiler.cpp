#include "profiler.h"
#include <algorithm>
#include <stdexcept>

namespace prof {

size_t Profiler::open(const char* name, cudaStream_t stream)
{
    Span span{name, stream, pool_.get(), pool_.get()};
    check(cudaEventRecord(span.begin.get(), span.stream));
    spans_.push_back(std::move(span));
    return spans_.size() - 1;
}

void Profiler::close(size_t index)
{
    Span& span = spans_[index];
    if (cudaEventRecord(span.end.get(), stream_) == cudaSuccess) span.closed = true;
}

void Profiler::flush()
{
    if (!std::all_of(spans_.begin(), spans_.end(), [](const Span& s) { return s.closed; }))
        throw std::logic_error("section open during flush");
    for (Span& span : spans_) {
        check(cudaEventSynchronize(span.begin.get()));
        check(cudaEventSynchronize(span.end.get()));
        float ms = 0.f;
        check(cudaEventElapsedTime(&ms, span.begin.get(), span.end.get()));
        Row& row = rows_[span.name];
        ++row.calls;
        row.total_ms += ms;
    }
    spans_.clear();
}

}  // namespace prof
