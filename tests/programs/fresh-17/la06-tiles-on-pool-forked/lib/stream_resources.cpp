#include "stream_resources.hpp"

namespace pontoon::resource {
namespace {

class main_stream_resource final : public pontoon::resource_base {
 public:
  explicit main_stream_resource(cudaStream_t s) : s_(s) {}
  void* get_resource() override { return &s_; }

 private:
  cudaStream_t s_;
};

class main_stream_factory final : public pontoon::resource_factory {
 public:
  explicit main_stream_factory(cudaStream_t s) : s_(s) {}
  resource_type get_resource_type() const override { return resource_type::MAIN_STREAM; }
  std::unique_ptr<pontoon::resource_base> make_resource() override { return std::make_unique<main_stream_resource>(s_); }

 private:
  cudaStream_t s_;
};

struct stream_pool {
  explicit stream_pool(std::size_t n) : streams(n)
  {
    for (auto& s : streams) PONTOON_CUDA_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  ~stream_pool()
  {
    for (auto& s : streams) cudaStreamDestroy(s);
  }
  std::vector<cudaStream_t> streams;
};

class stream_pool_resource final : public pontoon::resource_base {
 public:
  explicit stream_pool_resource(std::size_t n) : pool_(n) {}
  void* get_resource() override { return &pool_; }

 private:
  stream_pool pool_;
};

class stream_pool_factory final : public pontoon::resource_factory {
 public:
  explicit stream_pool_factory(std::size_t n) : n_(n) {}
  resource_type get_resource_type() const override { return resource_type::STREAM_POOL; }
  std::unique_ptr<pontoon::resource_base> make_resource() override { return std::make_unique<stream_pool_resource>(n_); }

 private:
  std::size_t n_;
};

class event_resource final : public pontoon::resource_base {
 public:
  event_resource() { PONTOON_CUDA_TRY(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  ~event_resource() override { cudaEventDestroy(e_); }
  void* get_resource() override { return &e_; }

 private:
  cudaEvent_t e_{};
};

class event_factory final : public pontoon::resource_factory {
 public:
  resource_type get_resource_type() const override { return resource_type::SYNC_EVENT; }
  std::unique_ptr<pontoon::resource_base> make_resource() override { return std::make_unique<event_resource>(); }
};

cudaEvent_t sync_event(pontoon::resources const& res)
{
  if (!res.has(resource_type::SYNC_EVENT)) {
    const_cast<pontoon::resources&>(res).add_resource_factory(std::make_shared<event_factory>());
  }
  return *res.get<cudaEvent_t>(resource_type::SYNC_EVENT);
}

}  // namespace

cudaStream_t get_cuda_stream(pontoon::resources const& res)
{
  return res.has(resource_type::MAIN_STREAM) ? *res.get<cudaStream_t>(resource_type::MAIN_STREAM) : cudaStreamPerThread;
}

void set_cuda_stream(pontoon::resources& res, cudaStream_t stream)
{
  res.add_resource_factory(std::make_shared<main_stream_factory>(stream));
}

void sync_stream(pontoon::resources const& res) { PONTOON_CUDA_TRY(cudaStreamSynchronize(get_cuda_stream(res))); }

void set_stream_pool(pontoon::resources& res, std::size_t n_streams)
{
  res.add_resource_factory(std::make_shared<stream_pool_factory>(n_streams));
}

bool is_stream_pool_initialized(pontoon::resources const& res) { return res.has(resource_type::STREAM_POOL); }

std::size_t get_stream_pool_size(pontoon::resources const& res)
{
  return is_stream_pool_initialized(res) ? res.get<stream_pool>(resource_type::STREAM_POOL)->streams.size() : 0;
}

cudaStream_t get_next_usable_stream(pontoon::resources const& res, std::size_t idx)
{
  auto const n = get_stream_pool_size(res);
  if (n == 0) return get_cuda_stream(res);
  return res.get<stream_pool>(resource_type::STREAM_POOL)->streams[idx % n];
}

void wait_stream_pool_on_stream(pontoon::resources const& res)
{
  cudaEvent_t const e = sync_event(res);
  PONTOON_CUDA_TRY(cudaEventRecord(e, get_cuda_stream(res)));
  for (std::size_t i = 0; i < get_stream_pool_size(res); ++i) {
    PONTOON_CUDA_TRY(cudaStreamWaitEvent(get_next_usable_stream(res, i), e, 0));
  }
}

void wait_stream_on_stream_pool(pontoon::resources const& res)
{
  cudaEvent_t const e = sync_event(res);
  for (std::size_t i = 0; i < get_stream_pool_size(res); ++i) {
    PONTOON_CUDA_TRY(cudaEventRecord(e, get_next_usable_stream(res, i)));
    PONTOON_CUDA_TRY(cudaStreamWaitEvent(get_cuda_stream(res), e, 0));
  }
}

}  // namespace pontoon::resource
