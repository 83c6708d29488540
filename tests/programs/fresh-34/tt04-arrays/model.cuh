// model.cuh - leapfrog integration of coupled oscillators on device arrays
#pragma once

#include "array.cuh"

namespace model {

struct State {
    da::Array x;
    da::Array v;
};

// the force lives in its own queue; the temporaries of a step end with it
inline void step(State &s, const da::Queue &side, float dt)
{
    const int n = s.x.size();
    da::Array spring(side, n, s.x * -0.5f);
    da::Array drag(side, n, s.v * 0.125f);
    {
        da::Array force(side, n, spring - drag);
        s.v = s.v + force * dt;
    }
    s.x += s.v * dt;
}

} // namespace model
