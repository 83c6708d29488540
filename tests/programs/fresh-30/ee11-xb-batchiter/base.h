/*!
 * \brief Checks and small types that all parts of the loader use.
 */
#ifndef XB_BASE_H_
#define XB_BASE_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace xb {

struct Error : public std::runtime_error {
  Error(std::string const& msg, cudaError_t code) : std::runtime_error{msg}, code{code} {}
  cudaError_t code;
};

namespace detail {

class FatalMessage {
 public:
  FatalMessage(char const* file, int line) { os_ << file << ":" << line << ": "; }
  ~FatalMessage() noexcept(false) { throw Error{os_.str(), cudaErrorUnknown}; }
  std::ostream& Stream() { return os_; }

 private:
  std::ostringstream os_;
};

inline void SafeCuda(cudaError_t code, char const* file, int line) {
  if (code != cudaSuccess) {
    throw Error{std::string{file} + ":" + std::to_string(line) + ": " + cudaGetErrorString(code), code};
  }
}

}  // namespace detail

#define XB_CHECK(cond) \
  if (!(cond)) ::xb::detail::FatalMessage(__FILE__, __LINE__).Stream() << "Check failed: " #cond " "

#define XB_CUDA(call) ::xb::detail::SafeCuda((call), __FILE__, __LINE__)

}  // namespace xb

#endif  // XB_BASE_H_
