#pragma once
#include "field.h"

namespace plasma {

class Observer {
public:
    virtual ~Observer() = default;
    virtual void onStep(const FieldPtr& field, cudaEvent_t ready) = 0;
};

}  // namespace plasma
