// what it asks: Do static and dynamic pointer casts share ownership and fail to null?
#include <memory>

void observe(long long value);

struct Layer {
    virtual ~Layer() = default;
    virtual int cost() const { return 1; }
};
struct Dense : Layer {
    int width = 32;
    int cost() const override { return width * 2; }
};
struct Relu : Layer {};
int main() {
    std::shared_ptr<Layer> a = std::make_shared<Dense>();
    std::shared_ptr<Layer> b = std::make_shared<Relu>();
    auto dense = std::dynamic_pointer_cast<Dense>(a);
    auto none = std::dynamic_pointer_cast<Dense>(b);
    dense->width = 40;
    observe(a->cost());
    observe(a.use_count() * 10 + b.use_count());
    observe(none ? 3 : 4);
    observe(std::static_pointer_cast<Dense>(a)->width + b->cost());
}
