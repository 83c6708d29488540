#pragma once
#include "memory.cuh"

#include <string>

namespace colstore {

class column {
 public:
  column(std::string name, int rows, device_buffer&& data)
    : name_{std::move(name)}, rows_{rows}, data_{std::move(data)}
  {
  }
  std::string const& name() const noexcept { return name_; }
  int rows() const noexcept { return rows_; }
  int const* values() const noexcept { return static_cast<int const*>(data_.data()); }
  device_buffer& buffer() noexcept { return data_; }

 private:
  std::string name_;
  int rows_;
  device_buffer data_;
};

class table {
 public:
  explicit table(std::vector<column>&& columns) : columns_{std::move(columns)} {}
  std::size_t num_columns() const noexcept { return columns_.size(); }
  column const& get(std::size_t i) const { return columns_.at(i); }

 private:
  std::vector<column> columns_;
};

}  // namespace colstore
