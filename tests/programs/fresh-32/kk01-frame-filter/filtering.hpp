#pragma once
#include "column.hpp"

namespace frame {

/**
 * @brief Keeps the rows of `input` whose mask is nonzero, in their order.
 *
 * All device work is ordered on `stream`: `input` and `mask` may still be being
 * produced by work already issued there. The size of the result is known on return.
 *
 * @param mask  one byte per row of `input`
 * @param mr    resource of the returned column
 */
column<int32_t> apply_boolean_mask(column_view<int32_t> input, column_view<uint8_t> mask,
                                   cudaStream_t stream,
                                   memory_resource* mr = default_resource());

/**
 * @brief Column of `size` consecutive values from `init` in steps of `step`.
 */
column<int32_t> sequence(std::size_t size, int32_t init, int32_t step, cudaStream_t stream,
                         memory_resource* mr = default_resource());

}  // namespace frame
