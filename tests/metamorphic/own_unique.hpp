#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

// What a deleter calls a pointer: its own type, where it has one.
template <class T, class D, class = void> struct OwnUniquePointer {
  using type = T *;
};
template <class T, class D> struct OwnUniquePointer<T, D, std::void_t<typename std::remove_reference_t<D>::pointer>> {
  using type = typename std::remove_reference_t<D>::pointer;
};

// The one owner of an object, with the interface of std::unique_ptr.
template <class T, class D = std::default_delete<T>> class OwnUnique {
public:
  using element_type = std::remove_extent_t<T>;
  using deleter_type = D;
  using pointer = typename OwnUniquePointer<element_type, D>::type;

  OwnUnique() : held_(), deleter_() {}
  OwnUnique(std::nullptr_t) : held_(), deleter_() {}
  explicit OwnUnique(pointer held) : held_(held), deleter_() {}
  OwnUnique(pointer held, D deleter) : held_(held), deleter_(std::move(deleter)) {}
  OwnUnique(OwnUnique &&other) noexcept : held_(other.release()), deleter_(std::move(other.deleter_)) {}
  template <class U, class E, class = std::enable_if_t<std::is_convertible_v<typename OwnUnique<U, E>::pointer, pointer>>>
  OwnUnique(OwnUnique<U, E> &&other) noexcept : held_(other.release()), deleter_(std::move(other.get_deleter())) {}
  OwnUnique(const OwnUnique &) = delete;
  OwnUnique &operator=(const OwnUnique &) = delete;
  ~OwnUnique() {
    if (held_ != nullptr) deleter_(held_);
  }
  OwnUnique &operator=(OwnUnique &&other) noexcept {
    if (this != &other) {
      reset(other.release());
      deleter_ = std::move(other.deleter_);
    }
    return *this;
  }
  OwnUnique &operator=(std::nullptr_t) {
    reset();
    return *this;
  }

  pointer get() const { return held_; }
  D &get_deleter() { return deleter_; }
  const D &get_deleter() const { return deleter_; }
  explicit operator bool() const { return held_ != nullptr; }
  template <class U = element_type> std::add_lvalue_reference_t<U> operator*() const { return *held_; }
  pointer operator->() const { return held_; }
  template <class U = element_type> std::add_lvalue_reference_t<U> operator[](std::size_t index) const { return held_[index]; }
  pointer release() {
    pointer held = held_;
    held_ = pointer();
    return held;
  }
  void reset(pointer next = pointer()) {
    pointer old = held_;
    held_ = next;
    if (old != nullptr) deleter_(old);
  }
  void swap(OwnUnique &other) noexcept {
    std::swap(held_, other.held_);
    std::swap(deleter_, other.deleter_);
  }
  friend bool operator==(const OwnUnique &it, std::nullptr_t) { return it.held_ == nullptr; }
  friend bool operator!=(const OwnUnique &it, std::nullptr_t) { return it.held_ != nullptr; }

private:
  pointer held_;
  D deleter_;
};

template <class T, class... Arguments> std::enable_if_t<!std::is_array_v<T>, OwnUnique<T>> make_own_unique(Arguments &&...arguments) {
  return OwnUnique<T>(new T(std::forward<Arguments>(arguments)...));
}
template <class T> std::enable_if_t<std::is_array_v<T>, OwnUnique<T>> make_own_unique(std::size_t count) {
  return OwnUnique<T>(new std::remove_extent_t<T>[count]());
}
