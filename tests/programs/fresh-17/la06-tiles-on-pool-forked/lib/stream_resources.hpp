#pragma once

#include "resources.hpp"

namespace pontoon::resource {

/// The stream every primitive is ordered on.
cudaStream_t get_cuda_stream(pontoon::resources const& res);
void set_cuda_stream(pontoon::resources& res, cudaStream_t stream);
void sync_stream(pontoon::resources const& res);

/// Internal streams for primitives that work on several independent parts.
void set_stream_pool(pontoon::resources& res, std::size_t n_streams);
bool is_stream_pool_initialized(pontoon::resources const& res);
std::size_t get_stream_pool_size(pontoon::resources const& res);
cudaStream_t get_next_usable_stream(pontoon::resources const& res, std::size_t idx);

/// The pool's streams wait for what is in the main stream by now.
void wait_stream_pool_on_stream(pontoon::resources const& res);
/// The main stream waits for what is in the pool's streams by now.
void wait_stream_on_stream_pool(pontoon::resources const& res);

}  // namespace pontoon::resource
