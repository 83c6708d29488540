// Starting line of an ensemble: members queue up their work behind the gate
// and set off together, which keeps their wall times comparable.
#pragma once
#include "core.h"

namespace ens {

class Gate {
public:
    Gate();
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void hold(const Queue& q);
    void open();
    void rearm();

private:
    volatile unsigned* flag_ = nullptr;
    unsigned* flag_dev_ = nullptr;
};

}  // namespace ens
