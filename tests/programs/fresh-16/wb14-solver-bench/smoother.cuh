#pragma once
#include <vector>

#include "executor.h"

namespace solver {

// Damped smoothing of independent subdomains.
class Smoother {
public:
    Smoother(int domains, int cells);
    ~Smoother();

    void sweep(Executor& exec);
    std::vector<int> values() const;
    static int step(int v, int domain) { return (v * 3 + domain) & 0xffff; }
    static int initial(int domain, int cell) { return (domain * 911 + cell) & 0xffff; }
private:
    int domains_, cells_;
    int* field_ = nullptr;
};
}  // namespace solver
