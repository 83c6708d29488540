#pragma once
#include "staging.h"
#include <vector>

namespace geo {

struct SurveyConfig {
    int crews = 3;
};

struct Profile {
    std::vector<unsigned> share;  // cumulated counts per height class
};

// Elevation profile of regions. Each crew has a stream and a tile of its own; the counts belong to all.
class Survey {
public:
    explicit Survey(const SurveyConfig& config);
    ~Survey();
    Survey(const Survey&) = delete;
    Survey& operator=(const Survey&) = delete;
    Profile run(const Region& region);

private:
    struct Crew {
        cudaStream_t stream = nullptr;
        short* tile = nullptr;
    };
    void open();
    void visit(const Region& region, int tile);
    Profile close();

    Staging staging_;
    std::vector<Crew> crews_;
    unsigned* counts_ = nullptr;
    unsigned* cumulated_ = nullptr;
};

}  // namespace geo
