#pragma once

#include "core.hpp"

namespace strata::detail {

/// Marks the first `bits` rows valid and clears the padding of the last word.
void set_all_valid(mask_word* mask, size_type bits, stream_view stream);

/// Number of cleared bits in [0, bits). Returns once the number is known.
size_type count_unset_bits(mask_word const* mask, size_type bits, stream_view stream);

}  // namespace strata::detail
