#pragma once
#include "mailbox.h"

namespace risk {
void startPricer(Wire* wire, const double* curve, cudaStream_t stream);
}
