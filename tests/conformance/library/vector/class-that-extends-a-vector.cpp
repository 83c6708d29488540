// std: c++17
// what it asks: Is an object of a class that extends a vector the vector too, by whatever name the class calls its base?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

template <class T, class A = std::allocator<T>>
class Vec : public std::vector<T, A> {
  public:
    using super = std::vector<T, A>;
    using super::vector;
    using typename super::size_type;
    T& operator[](size_type i) noexcept { return super::operator[](i); }
    const T& operator[](size_type i) const noexcept { return super::operator[](i); }
    void add(const T& x) { super::push_back(x); }
    void add_here(const T& x) { this->push_back(x); }
    void add_written(const T& x) { std::vector<T, A>::push_back(x); }
    int count() const { return static_cast<int>(super::size()); }
    T& last() { return super::back(); }
};

struct Scaled : public std::vector<int> {
    int scale;
    Scaled(int times, int many) : std::vector<int>(many, times), scale(times) {}
    Scaled(const Scaled& other) : std::vector<int>(other), scale(other.scale + 1) {}
    void push_back(int x) { std::vector<int>::push_back(x * scale); }
    void grow() {
        push_back(5);
        resize(size() + 1, 9);
    }
    int total() const {
        int sum = 0;
        for (int x : *this) sum += x;
        return sum;
    }
};

struct Deeper : Scaled {
    Deeper() : Scaled(2, 3) {}
    int all() { return total() + static_cast<int>(size()); }
};

template <class Base>
struct Wrapped : Base {
    using Base::Base;
    int first() { return (*this)[0]; }
    int many() { return static_cast<int>(this->size()); }
};

using Numbers = std::vector<int>;
struct Aliased : Numbers {
    using Numbers::Numbers;
};

struct Holder {
    Aliased list;
    Holder() : list(3, 1) { list[1] = 5; }
};

int by_reference(const std::vector<int>& v) { return static_cast<int>(v.size()) * 100 + v[0]; }
int by_value(std::vector<int> v) {
    v[0] = 77;
    return v[0];
}
Aliased make() {
    Aliased made(2, 8);
    made.push_back(9);
    return made;
}

int main() {
    Vec<int> v;
    v.push_back(3);
    observe(v.size());
    v.add(4);
    v.add_here(5);
    v.add_written(6);
    observe(v.count());
    v[1] = 40;
    observe(v[1]);
    observe(v.last());
    const Vec<int>& same = v;
    observe(same[2]);
    Vec<int> filled(3, 7);
    observe(filled[2]);
    observe(filled.size());
    int sum = 0;
    for (int x : v) sum += x;
    observe(sum);
    Vec<int> copy = v;
    copy[0] = 1;
    observe(copy[0]);
    observe(v[0]);

    Scaled scaled(4, 2);
    observe(scaled.total());
    scaled.grow();
    observe(scaled.size());
    observe(scaled.total());
    Scaled other(scaled);
    observe(other.scale);
    observe(other.size());
    other[0] = 50;
    observe(scaled[0]);
    Deeper deeper;
    observe(deeper.all());
    Wrapped<std::vector<int>> wrapped(2, 5);
    observe(wrapped.first());
    observe(wrapped.many());

    Aliased listed{4, 5, 6};
    observe(by_reference(listed));
    observe(by_value(listed));
    observe(listed[0]);
    Aliased made = make();
    observe(made.size());
    observe(made[2]);
    Aliased swapped(1, 2);
    std::swap(made, swapped);
    observe(made.size());
    observe(swapped[2]);
    Aliased moved = std::move(swapped);
    observe(moved.back());
    moved = {7, 8};
    observe(moved.size());
    Aliased assigned;
    assigned = moved;
    assigned[0] = 1;
    observe(moved[0]);
    observe(assigned[1]);
    listed.insert(listed.begin(), 99);
    observe(listed.front());
    listed.erase(listed.begin());
    observe(listed.size());
    std::vector<Aliased> nested(2);
    nested[1].push_back(11);
    observe(nested[1][0]);
    observe(nested[0].size());
    auto owned = std::make_unique<Aliased>(2, 12);
    observe(owned->at(1));
    Holder holder;
    Holder second = holder;
    second.list[1] = 6;
    observe(holder.list[1]);
    observe(second.list[1]);
}
