// std: c++20
// what it asks: Does a list of one become a container with one element, whatever that is?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

struct Tensor {
    explicit Tensor(int count) : size(count) {}
    int size;
};
using TensorPtr = std::shared_ptr<Tensor>;

struct Plain {
    explicit Plain(std::vector<int> inputs) : inputs_(std::move(inputs)) {}
    std::vector<int> inputs_;
};
struct Held {
    explicit Held(std::vector<TensorPtr> inputs, TensorPtr out) : inputs_(std::move(inputs)), out_(std::move(out)) {}
    const std::vector<TensorPtr>& inputs() const { return inputs_; }
    std::vector<TensorPtr> inputs_;
    TensorPtr out_;
};
struct Derived : Held {
    Derived(TensorPtr in, TensorPtr out) : Held({std::move(in)}, std::move(out)) {}
    Derived(TensorPtr in, TensorPtr in2, TensorPtr out) : Held({std::move(in), in2}, std::move(out)) {}
};

int first(std::vector<TensorPtr> all) { return all[0]->size * 10 + all.size(); }

int main() {
    Plain p({4, 5});
    observe(p.inputs_.size());
    observe(p.inputs_[1]);
    Plain q({7});
    observe(q.inputs_.size());
    auto a = std::make_shared<Tensor>(3);
    auto b = std::make_shared<Tensor>(8);
    Held h({a, b}, a);
    observe(h.inputs_[1]->size);
    observe(h.inputs().size());
    Held i({a}, b);
    observe(i.inputs_[0]->size);
    observe(i.inputs().size());
    Derived d(a, b);
    observe(d.inputs_[0]->size);
    observe(d.inputs().size());
    observe(d.out_->size);
    Derived e(a, b, b);
    observe(e.inputs_[1]->size);
    std::unique_ptr<Held> u = std::make_unique<Derived>(a, b);
    observe(u->inputs()[0]->size);
    int sum = 0;
    for (const TensorPtr& in : u->inputs()) sum += in->size;
    observe(sum);
    observe(first({b}));
    observe(first({std::move(b), a}));
}
