#include "session.hpp"

namespace tern
{

namespace
{
unique_stream open_stream()
{
    cudaStream_t s = nullptr;
    TERN_ENSURE(cudaStreamCreate(&s));
    return unique_stream(s);
}
} // namespace

session::session(session_config config)
    : config_(config)
    , stream_(open_stream())
    , group_scratch_(make_device<std::uint64_t>(2 * config.max_groups))
    , row_counter_(make_device<std::uint64_t>(1))
    , host_results_(make_pinned<std::uint64_t>(2 * config.max_groups + 1))
{
}

void session::finish() const
{
    TERN_ENSURE(cudaStreamSynchronize(stream_.get()));
}

} // namespace tern
