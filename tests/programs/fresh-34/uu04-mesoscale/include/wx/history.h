#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "wx/grid.h"

namespace wx {

struct Frame {
    explicit Frame(const GridConfig& c) : field(c.cells()), coded(c.cells()), host(c.cells()) {}

    int step = -1;
    DeviceField<int32_t> field;
    DeviceField<int32_t> coded;
    std::vector<int32_t> host;
    Event taken;
    Event landed;
};

// Output side of the model: a pool of frames, a stream of its own and a writer thread.
class History {
public:
    History(const GridConfig& c, int frames);
    ~History();

    Frame& acquire();
    void submit(Frame& f, int step);
    void drain();

    // One checksum for every step that was written.
    const std::vector<uint32_t>& sums() const { return sums_; }
    Stream& stream() { return io_; }

private:
    void writer();
    void consume(const Frame& f);

    GridConfig c_;
    Stream io_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<Frame*> free_;
    std::deque<Frame*> full_;
    std::vector<uint32_t> sums_;
    bool closing_ = false;
    std::thread thread_;
};

uint32_t checksum_decoded(const GridConfig& c, const int32_t* coded);
uint32_t checksum_field(const GridConfig& c, const int32_t* field);

}  // namespace wx
