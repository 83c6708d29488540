// what it asks: Does a class whose rows are a template it was handed give elements that are those of the array?
#include <utility>
#include <cstddef>

void observe(long long value);
namespace detail {
template <typename T, size_t Extent, typename Derived>
class span_base {
 public:
  constexpr span_base() noexcept {}
  constexpr span_base(T* data, size_t size) : _data(data), _size(size) {}
  constexpr T* data() const { return _data; }
  constexpr size_t size() const { return _size; }
  constexpr T* begin() const { return _data; }
  constexpr T* end() const { return _data + _size; }
  constexpr T& operator[](size_t i) const { return _data[i]; }
 protected:
  T* _data{nullptr};
  size_t _size{0};
};
template <typename T, template <typename, size_t> typename RowType>
class base_2d {
 public:
  using size_type = std::pair<size_t, size_t>;
  constexpr base_2d() noexcept = default;
  constexpr base_2d(T* data, size_t rows, size_t columns) noexcept : _data{data}, _size{rows, columns} {}
  base_2d(T* data, size_type size) noexcept : _data{data}, _size{size} {}
  constexpr auto data() const noexcept { return _data; }
  constexpr auto size() const noexcept { return _size; }
  constexpr auto count() const noexcept { return size().first * size().second; }
  static constexpr size_t flatten(size_t row, size_t column, size_type size) noexcept { return row * size.second + column; }
  constexpr RowType<T, 7> operator[](size_t row) const { return {this->data() + flatten(row, 0, this->size()), this->size().second}; }
  [[nodiscard]] constexpr RowType<T, 7> flat() const { return {this->data(), this->size().first * this->size().second}; }
 protected:
  T* _data = nullptr;
  size_type _size{0, 0};
};
}
template <typename T, size_t Extent = 7>
struct host_span : public detail::span_base<T, Extent, host_span<T, Extent>> {
  using base = detail::span_base<T, Extent, host_span<T, Extent>>;
  using base::base;
  constexpr host_span() noexcept : base() {}
};
template <class T> using host_2d = detail::base_2d<T, host_span>;
struct item { int on; int slots; };
template <typename T>
class both {
 public:
  both(T* p, size_t rows, size_t columns) : _size{rows, columns}, _data(p) {}
  operator host_2d<T>() { return {_data, _size}; }
  host_2d<T> view() { return static_cast<host_2d<T>>(*this); }
  host_span<T> operator[](size_t row) { return {_data + host_2d<T>::flatten(row, 0, _size), _size.second}; }
 private:
  std::pair<size_t, size_t> _size;
  T* _data;
};
int main() {
  item items[6] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}};
  host_span<item> s{items, 6};
  observe(s.size());
  for (auto& it : s) it.slots += 1;
  observe(items[0].slots);
  detail::base_2d<item, host_span> t(items, 2, 3);
  observe(t.count());
  auto f = t.flat();
  observe(f.size());
  f[1].slots = 50;
  observe(items[1].slots);
  for (auto& it : t[1]) it.slots += 10;
  observe(items[3].slots);
  both<item> b(items, 2, 3);
  b[1][1].slots = 99;
  observe(items[4].slots);
  host_2d<item> h = b;
  observe(h.count());
  auto v = b.view();
  observe(v.count());
  auto all = b.view().flat();
  observe(all.size());
  for (auto& it : all) { if (!it.on) continue; it.slots = 0; }
  observe(items[5].slots);
}
