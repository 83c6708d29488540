// what it asks: Does the aliasing constructor share ownership of the whole while pointing at a member?
#include <memory>

void observe(long long value);

namespace {
int destroyed = 0;
struct Matrix {
    int rows = 3;
    int values[4] = {9, 8, 7, 6};
    ~Matrix() { destroyed += rows; }
};
}  // namespace
int main() {
    auto whole = std::make_shared<Matrix>();
    std::shared_ptr<int> element(whole, &whole->values[2]);
    observe(whole.use_count());
    whole->values[2] = 70;
    whole.reset();
    observe(destroyed * 100 + *element);
    observe(element.use_count());
    element.reset();
    observe(destroyed);
}
