#include "surface.hpp"

#include <algorithm>

namespace vol {

surface::surface(const std::vector<float>& values, int strikes, int tenors)
    : strikes_(strikes), tenors_(tenors), values_(values.size()), loop_() {
  if (strikes < 2 || tenors < 2 ||
      values.size() != static_cast<std::size_t>(strikes) * tenors)
    throw cuda_error(cudaErrorInvalidValue);
  values_.assign(values);
  loop_.start(values_.data(), strikes_, tenors_);
}

std::vector<float> surface::quote(const std::vector<point>& where) {
  std::vector<float> answers(where.size());
  for (std::size_t done = 0; done < where.size();) {
    const std::size_t count =
        std::min<std::size_t>(quote_loop::capacity, where.size() - done);
    loop_.ask(where.data() + done, static_cast<int>(count), answers.data() + done);
    done += count;
  }
  return answers;
}

}  // namespace vol
