#pragma once
#include <initializer_list>

#include "lane.h"

namespace lattice {

// One time level of the lattice, and the last one who looked at it from
// outside.
class Level {
public:
    explicit Level(size_t cells) { LATTICE_CALL(cudaMalloc(reinterpret_cast<void**>(&cells_), cells * sizeof(int))); }
    ~Level() { cudaFree(cells_); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    int* cells() const { return cells_; }

    void lend(Lane& visitor) {
        visit_.mark(visitor.stream());
        visited_ = true;
    }
    void reclaim(std::initializer_list<Lane*> owners) {
        if (!visited_) return;
        for (Lane* o : owners) o->after(visit_);
        visited_ = false;
    }

private:
    int* cells_ = nullptr;
    Milestone visit_;
    bool visited_ = false;
};

class Field {
public:
    explicit Field(size_t cells) : levels_{Level(cells), Level(cells)} {}

    Level& now() { return levels_[turn_ & 1]; }
    Level& next() { return levels_[(turn_ + 1) & 1]; }
    void turn() { ++turn_; }

private:
    Level levels_[2];
    unsigned turn_ = 0;
};

}  // namespace lattice
