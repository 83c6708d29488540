#pragma once
#include <memory>
#include <string>
#include <vector>

#include "stage.h"

namespace echo {

struct Lane {
    cudaStream_t stream = nullptr;
    int* raw = nullptr;
    int* image = nullptr;
    int* device = nullptr;
};

// An ultrasound probe with several elements; every element has a lane.
class Probe {
public:
    Probe(int lanes, int lines, int samples) : lanes_(lanes), lines_(lines), samples_(samples) {}
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    Outcome open(const std::vector<std::string>& stages);
    Outcome scan(int lanes);
    int mismatches() const;

private:
    std::vector<Lane> lanes_;
    int lines_;
    int samples_;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace echo
