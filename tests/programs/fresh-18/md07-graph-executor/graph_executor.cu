#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <variant>
#include <vector>

namespace gx {

#define GX_CHECK(expr)                                                             \
  do {                                                                             \
    if (cudaError_t e_ = (expr); e_ != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e_)); \
  } while (0)

struct scale_node { float factor; };
struct shift_node { float offset; };
struct clamp_node { float lo, hi; };
using node = std::variant<scale_node, shift_node, clamp_node>;

namespace detail {

struct param {
  std::int32_t op;
  float a;
  float b;
};

struct encode {
  param operator()(scale_node const& n) const { return {0, n.factor, 0.f}; }
  param operator()(shift_node const& n) const { return {1, n.offset, 0.f}; }
  param operator()(clamp_node const& n) const { return {2, n.lo, n.hi}; }
};

struct graph_deleter { void operator()(cudaGraph_t g) const { cudaGraphDestroy(g); } };
struct exec_deleter { void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); } };
struct stream_deleter { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct event_deleter { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };
struct device_deleter { void operator()(void* p) const { cudaFree(p); } };

template <typename Handle, typename Deleter>
using unique = std::unique_ptr<std::remove_pointer_t<Handle>, Deleter>;

__global__ void apply_node(param const* params, int index, float* x, std::size_t n)
{
  auto const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  param const p = params[index];
  float v       = x[i];
  if (p.op == 0) v *= p.a;
  if (p.op == 1) v += p.a;
  if (p.op == 2) v = fminf(fmaxf(v, p.a), p.b);
  x[i] = v;
}

}  // namespace detail

// Applies a chain of element-wise nodes in place, as one CUDA graph. A changed chain or
// target is captured again and patched into the existing executable when possible.
class executor {
 public:
  explicit executor(std::size_t max_nodes) : max_nodes_{max_nodes}
  {
    cudaStream_t s{};
    GX_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    capture_.reset(s);
    cudaEvent_t e{};
    GX_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    launched_.reset(e);
    void* p{};
    GX_CHECK(cudaMalloc(&p, max_nodes * sizeof(detail::param)));
    params_.reset(static_cast<detail::param*>(p));
  }

  ~executor() { cudaEventSynchronize(launched_.get()); }

  void update(std::vector<node> const& chain, float* x, std::size_t n)
  {
    if (chain.empty() || chain.size() > max_nodes_ || n == 0) throw std::invalid_argument("chain");
    GX_CHECK(cudaEventSynchronize(launched_.get()));
    auto graph = record(chain, x, n);
    if (exec_ && try_patch(graph.get())) return;
    cudaGraphExec_t exec{};
    GX_CHECK(cudaGraphInstantiateWithFlags(&exec, graph.get(), 0));
    exec_.reset(exec);
  }

  void launch(cudaStream_t stream)
  {
    if (!exec_) throw std::logic_error("no graph");
    GX_CHECK(cudaStreamWaitEvent(stream, launched_.get(), 0));
    GX_CHECK(cudaGraphLaunch(exec_.get(), stream));
    GX_CHECK(cudaEventRecord(launched_.get(), stream));
  }

 private:
  using unique_graph = detail::unique<cudaGraph_t, detail::graph_deleter>;

  unique_graph record(std::vector<node> const& chain, float* x, std::size_t n)
  {
    std::vector<detail::param> table;
    for (auto const& c : chain) table.push_back(std::visit(detail::encode{}, c));

    auto const s = capture_.get();
    GX_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    auto err = cudaMemcpyAsync(
      params_.get(), table.data(), table.size() * sizeof(detail::param), cudaMemcpyHostToDevice, s);
    auto const blocks = static_cast<unsigned>((n + 255) / 256);
    for (std::size_t i = 0; i < chain.size() && err == cudaSuccess; ++i) {
      detail::apply_node<<<blocks, 256, 0, s>>>(params_.get(), static_cast<int>(i), x, n);
      err = cudaGetLastError();
    }
    cudaGraph_t graph{};
    auto const end = cudaStreamEndCapture(s, &graph);
    unique_graph owned{graph};
    GX_CHECK(err);
    GX_CHECK(end);
    return owned;
  }

  bool try_patch(cudaGraph_t graph)
  {
    cudaGraphExecUpdateResultInfo info{};
    if (cudaGraphExecUpdate(exec_.get(), graph, &info) == cudaSuccess) return true;
    cudaGetLastError();
    return false;
  }

  std::size_t max_nodes_;
  detail::unique<cudaStream_t, detail::stream_deleter> capture_;
  detail::unique<cudaEvent_t, detail::event_deleter> launched_;
  std::unique_ptr<detail::param, detail::device_deleter> params_;
  detail::unique<cudaGraphExec_t, detail::exec_deleter> exec_;
};

}  // namespace gx
