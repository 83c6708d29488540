#pragma once
#include "arena.h"

namespace desk {

struct Task {
    int paths;
    float spot;
    unsigned long long ns;
};

// Prices one task after another on the desk's own stream.
class Pricer {
public:
    explicit Pricer(int maxPaths);
    ~Pricer();

    void price(const Task& task, float* host);
    void finish() { stream_.wait(); }

private:
    Stream stream_;
    Arena arena_;
};

}  // namespace desk
