// std: c++17
// what it asks: Is an operator that is called by its name, with the class it belongs to or without, that operator?
#include <memory>
#include <vector>

void observe(long long value);

template <class T, class Allocator = std::allocator<T>>
class Checked : public std::vector<T, Allocator> {
  public:
    using std::vector<T, Allocator>::vector;
    using typename std::vector<T, Allocator>::size_type;
    T& operator[](size_type i) noexcept { return this->std::vector<T, Allocator>::operator[](i); }
    const T& operator[](size_type i) const noexcept { return this->std::vector<T, Allocator>::operator[](i); }
    long size() const noexcept { return static_cast<long>(std::vector<T, Allocator>::size()); }
};

struct Base {
    int value = 2;
    int operator()(int x) const { return x + value; }
    bool operator==(const Base& other) const { return value == other.value; }
    Base& operator=(const Base& other) = default;
    Base& operator+=(int by) {
        value += by;
        return *this;
    }
};

struct Derived : Base {
    int operator()(int x) const { return 100 * Base::operator()(x); }
    Derived& operator+=(int by) {
        this->Base::operator+=(by * 10);
        return *this;
    }
};

int main() {
    Checked<int> checked(3, 5);
    observe(checked.size());
    observe(checked[1]);
    checked[2] = 7;
    observe(checked[2]);
    std::vector<int> plain(2, 4);
    observe(plain.operator[](1));
    observe(checked.std::vector<int>::size());
    Derived derived;
    observe(derived.operator()(1));
    observe(derived.Base::operator()(1));
    derived.operator+=(1);
    observe(derived.value);
    Derived* pointer = &derived;
    pointer->operator+=(2);
    observe(derived.value);
    Base base;
    observe(base.operator==(derived));
}
