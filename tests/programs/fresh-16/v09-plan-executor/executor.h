#pragma once
#include "plan.h"

namespace infer {

// Compiles layers into graphs once and replays them per request.
class executor {
public:
    explicit executor(std::size_t max_rows);
    ~executor();
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;

    std::size_t compile(std::string name, const std::vector<row_desc>& rows);
    void run(std::size_t plan_index);
    void wait();
    cudaStream_t stream() const { return stream_; }

private:
    void stage_rows(plan& p, const std::vector<row_desc>& rows);
    void record(plan& p);

    cudaStream_t stream_ = nullptr;
    std::size_t max_rows_;
    pinned_array<row_desc> staged_;
    std::vector<plan> plans_;
};

}  // namespace infer
