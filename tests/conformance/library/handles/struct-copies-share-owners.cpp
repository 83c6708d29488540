// what it asks: Copies of a struct share what its shared pointer holds; assignment lets the old one go.
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

static int freed = 0;

struct Tensor {
    std::shared_ptr<int> data;
    int rows = 0;
};

Tensor make(int rows) {
    Tensor tensor;
    tensor.data = std::shared_ptr<int>(new int(rows * 2), [](int* p) { freed += *p; delete p; });
    tensor.rows = rows;
    return tensor;
}

int main() {
    Tensor a = make(3);
    Tensor b = a;
    observe(a.data.use_count());
    *b.data = 7;
    observe(*a.data);
    a = make(5);
    observe(b.data.use_count());
    observe(freed);
    b = a;
    observe(freed);
    observe(b.rows);
    std::vector<Tensor> all{a, b};
    observe(a.data.use_count());
    Tensor c = std::move(all[1]);
    observe(all[1].data == nullptr ? 1 : 2);
    all.clear();
    observe(c.data.use_count());
}
