#pragma once
#include <colforge/error.hpp>

#include <cstdint>
#include <vector>

namespace colforge {

/// How the values of a column are laid out in a row group.
enum class encoding { plain, frame_of_reference, dictionary };

/// Non-owning view of one encoded column chunk in device memory.
struct encoded_column {
  encoding kind             = encoding::plain;
  const int32_t* payload    = nullptr;
  const int32_t* dictionary = nullptr;  ///< dictionary columns only
  int32_t reference         = 0;        ///< frame-of-reference columns only
};

struct encoded_table {
  int rows = 0;
  std::vector<encoded_column> columns;
};

/// Owning table of decoded 32-bit columns.
class table {
 public:
  table(int rows, int columns);
  ~table();
  table(const table&)            = delete;
  table& operator=(const table&) = delete;

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int32_t* column(int i) const { return data_ + static_cast<size_t>(i) * rows_; }
  const int32_t* data() const { return data_; }

 private:
  int rows_;
  int columns_;
  int32_t* data_ = nullptr;
};

}  // namespace colforge
