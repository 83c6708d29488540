#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

// A sequence in memory of its own, with the interface of std::vector.
template <class T> class OwnVector {
public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T &;
  using const_reference = const T &;
  using pointer = T *;
  using iterator = T *;
  using const_iterator = const T *;

  OwnVector() = default;
  explicit OwnVector(std::size_t count) { resize(count); }
  OwnVector(std::size_t count, const T &value) { resize(count, value); }
  OwnVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  template <class It, class = typename std::iterator_traits<It>::iterator_category> OwnVector(It first, It last) { append(first, last); }
  OwnVector(const OwnVector &other) { append(other.begin(), other.end()); }
  OwnVector(OwnVector &&other) noexcept { swap(other); }
  ~OwnVector() { drop(); }
  OwnVector &operator=(const OwnVector &other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  OwnVector &operator=(OwnVector &&other) noexcept {
    if (this != &other) {
      drop();
      items_ = nullptr;
      size_ = capacity_ = 0;
      swap(other);
    }
    return *this;
  }
  OwnVector &operator=(std::initializer_list<T> values) {
    clear();
    append(values.begin(), values.end());
    return *this;
  }

  T *data() { return items_; }
  const T *data() const { return items_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T *begin() { return items_; }
  T *end() { return items_ + size_; }
  const T *begin() const { return items_; }
  const T *end() const { return items_ + size_; }
  const T *cbegin() const { return items_; }
  const T *cend() const { return items_ + size_; }
  std::reverse_iterator<T *> rbegin() { return std::reverse_iterator<T *>(end()); }
  std::reverse_iterator<T *> rend() { return std::reverse_iterator<T *>(begin()); }
  T &operator[](std::size_t index) { return items_[index]; }
  const T &operator[](std::size_t index) const { return items_[index]; }
  T &at(std::size_t index) {
    if (index >= size_) throw std::out_of_range("OwnVector");
    return items_[index];
  }
  const T &at(std::size_t index) const {
    if (index >= size_) throw std::out_of_range("OwnVector");
    return items_[index];
  }
  T &front() { return items_[0]; }
  T &back() { return items_[size_ - 1]; }
  const T &front() const { return items_[0]; }
  const T &back() const { return items_[size_ - 1]; }

  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T *items = static_cast<T *>(::operator new(capacity * sizeof(T)));
    for (std::size_t i = 0; i < size_; ++i) {
      new (items + i) T(std::move(items_[i]));
      items_[i].~T();
    }
    ::operator delete(items_);
    items_ = items;
    capacity_ = capacity;
  }
  template <class... Arguments> T &emplace_back(Arguments &&...arguments) {
    if (size_ == capacity_) reserve(capacity_ == 0 ? 4 : 2 * capacity_);
    if constexpr (std::is_constructible_v<T, Arguments &&...>) {
      new (items_ + size_) T(std::forward<Arguments>(arguments)...);
    } else {
      new (items_ + size_) T{std::forward<Arguments>(arguments)...};
    }
    return items_[size_++];
  }
  void push_back(const T &value) {
    T copy(value);
    emplace_back(std::move(copy));
  }
  void push_back(T &&value) { emplace_back(std::move(value)); }
  void pop_back() { items_[--size_].~T(); }
  void resize(std::size_t count) {
    reserve(count);
    while (size_ < count) new (items_ + size_++) T();
    while (size_ > count) pop_back();
  }
  void resize(std::size_t count, const T &value) {
    reserve(count);
    while (size_ < count) new (items_ + size_++) T(value);
    while (size_ > count) pop_back();
  }
  void assign(std::size_t count, const T &value) {
    T copy(value);
    clear();
    resize(count, copy);
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category> void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void clear() {
    while (size_ > 0) pop_back();
  }
  void shrink_to_fit() {}
  T *erase(const T *from) { return erase(from, from + 1); }
  T *erase(const T *from, const T *to) {
    T *at = items_ + (from - items_);
    T *next = items_ + (to - items_);
    while (next != end()) *at++ = std::move(*next++);
    while (end() != at) pop_back();
    return items_ + (from - items_);
  }
  template <class It> void insert(const T *where, It first, It last) {
    OwnVector rest;
    std::size_t index = where - items_;
    for (std::size_t i = index; i < size_; ++i) rest.push_back(std::move(items_[i]));
    while (size_ > index) pop_back();
    append(first, last);
    for (T &it : rest) push_back(std::move(it));
  }
  void swap(OwnVector &other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  friend bool operator==(const OwnVector &left, const OwnVector &right) {
    if (left.size_ != right.size_) return false;
    for (std::size_t i = 0; i < left.size_; ++i) {
      if (!(left.items_[i] == right.items_[i])) return false;
    }
    return true;
  }
  friend bool operator!=(const OwnVector &left, const OwnVector &right) { return !(left == right); }

private:
  template <class It> void append(It first, It last) {
    for (; first != last; ++first) emplace_back(*first);
  }
  void drop() {
    clear();
    ::operator delete(items_);
  }

  T *items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

template <class It, class = typename std::iterator_traits<It>::iterator_category>
OwnVector(It, It) -> OwnVector<typename std::iterator_traits<It>::value_type>;
