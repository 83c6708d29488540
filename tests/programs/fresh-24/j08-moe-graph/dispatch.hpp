#pragma once

#include "context.hpp"

namespace moe {

struct dispatch_options {
  int experts  = 8;
  int capacity = 0;  ///< rows an expert takes at most; 0: all
};

struct routing {
  int* order;    ///< [tokens] token rows, by expert
  int* offsets;  ///< [experts + 1] where the rows of an expert begin in `order`
};

/// Groups tokens by their expert; within an expert the order of tokens is kept, and tokens above
/// the capacity are left out.
///
/// Enqueues its work in the context's stream and returns. After one call with the same sizes has
/// set up the context's work arrays, a call can be recorded into a graph by stream capture.
void dispatch(context& ctx, int const* expert_of_token, int tokens, dispatch_options const& opt, routing out);

/// dst[i] = src[order[i]] for the rows in use. Can be recorded into a graph.
void permute_rows(
  context& ctx, float const* src, int width, int tokens, dispatch_options const& opt, routing map, float* dst);

/// Rows of the busiest expert. Waits for the stream.
int max_load(context& ctx, routing map, dispatch_options const& opt);

}  // namespace moe
