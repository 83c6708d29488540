// The kernels of the runner: seven kinds, four of each in every unit of translation, and many units.
#pragma once

constexpr int kUnits = 64;
constexpr int kVariants = 4;
constexpr int kKinds = 7;

// Host-side handles of every unit's kernels, by kind and variant. Taking them loads nothing.
using UnitKernels = const void *[kKinds][kVariants];
extern UnitKernels *unit_kernels[kUnits];
