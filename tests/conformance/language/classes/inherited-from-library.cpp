// std: c++17
// what it asks: Is a plain call in a class that extends one of the library never a method of an unrelated class?
#include <vector>

void observe(long long value);

class Box {
  public:
    bool empty() const { return true; }
    int size() const { return 1000; }
};

class Shape : private std::vector<int> {
  public:
    Shape(std::initializer_list<int> sizes) : std::vector<int>(sizes) {}
    int dims() const { return static_cast<int>(std::vector<int>::size()); }
    int volume() const {
        if (empty()) return 0;
        int product = 1;
        for (int dim = 0; dim < dims(); dim++) product *= at(dim);
        return product;
    }
};

int main() {
    Box box;
    observe(box.size());
    Shape shape{2, 3, 4};
    observe(shape.dims());
    observe(shape.volume());
}
