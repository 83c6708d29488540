#pragma once
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <vector>
#include "event_pool.h"

namespace prof {

struct Row {
    unsigned calls = 0;
    double total_ms = 0;
    double mean_ms() const { return calls ? total_ms / calls : 0; }
};

// Device times of named sections of a program.
//
//     prof::Profiler profiler(main_stream);
//     { prof::Section s(profiler, "decode", decode_stream);  ... launches ... }
//     profiler.flush();
//
// A section covers the work enqueued in its stream during its scope; sections
// without a stream belong to the home stream.  Sections do not wait.  flush()
// waits for all sections that are closed and adds them to the table.
class Profiler {
public:
    explicit Profiler(cudaStream_t home) : stream_(home) {}
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    void flush();
    const Row& row(const std::string& name) const { return rows_.at(name); }
    const std::map<std::string, Row>& rows() const { return rows_; }

private:
    friend class Section;
    struct Span {
        std::string name;
        cudaStream_t stream;
        EventPool::Handle begin, end;
        bool closed = false;
    };

    size_t open(const char* name, cudaStream_t stream);
    void close(size_t index);
    cudaStream_t home() const { return stream_; }

    cudaStream_t stream_;
    EventPool pool_;
    std::vector<Span> spans_;
    std::map<std::string, Row> rows_;
};

class Section {
public:
    Section(Profiler& p, const char* name) : Section(p, name, p.home()) {}
    Section(Profiler& p, const char* name, cudaStream_t stream) : p_(p), index_(p.open(name, stream)) {}
    ~Section() { p_.close(index_); }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

private:
    Profiler& p_;
    size_t index_;
};

}  // namespace prof
