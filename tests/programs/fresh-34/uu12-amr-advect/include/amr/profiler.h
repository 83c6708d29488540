#pragma once

#include <chrono>
#include <map>
#include <string>

namespace amr {

class Profiler {
public:
    struct Entry {
        int calls = 0;
        double ms = 0.0;
        double mean() const { return calls ? ms / calls : 0.0; }
    };

    static Profiler& get() {
        static Profiler p;
        return p;
    }
    void add(const std::string& region, double ms) {
        Entry& e = entries_[region];
        ++e.calls;
        e.ms += ms;
    }
    void reset() { entries_.clear(); }
    const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::map<std::string, Entry> entries_;
};

// Adds the wall time of its scope to a region.
class Region {
public:
    explicit Region(const char* name) : name_(name), begin_(std::chrono::steady_clock::now()) {}
    ~Region() {
        const auto d = std::chrono::steady_clock::now() - begin_;
        Profiler::get().add(name_, std::chrono::duration<double, std::milli>(d).count());
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

private:
    const char* name_;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace amr
