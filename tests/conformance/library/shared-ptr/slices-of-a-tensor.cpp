// what it asks: How many share a block while slices of it come and go as temporaries and parameters?
#include <memory>
#include <vector>
void observe(long long value);
static int given = 0, alive = 0;
class Tensor {
public:
    static Tensor empty(int n) { Tensor t; t.block_.reset(new int(n), [](int*) {}); ++alive; return t; }
    Tensor(const Tensor& o) = default;
    Tensor(Tensor&&) = default;
    ~Tensor() { ++alive; if (block_ && block_.use_count() == 1) ++given; }
    Tensor slice(int begin) const { Tensor v(*this); v.offset_ = offset_ + begin; return v; }
    int value() const { return *block_ + offset_; }
    long uses() const { return block_.use_count(); }
private:
    Tensor() = default;
    std::shared_ptr<int> block_;
    std::vector<int> visitors_;
    int offset_ = 0;
};
static int side(Tensor part) { observe(part.uses()); observe(given); return part.value(); }
static int other(const Tensor& part) { observe(part.uses()); return part.value(); }
int main() {
    {
        Tensor a = Tensor::empty(8);
        observe(a.uses());
        observe(side(a.slice(4)));
        observe(given);
        observe(a.uses());
        observe(other(a.slice(4)));
        observe(a.uses());
        Tensor b = a.slice(3);
        observe(b.uses());
        Tensor c(std::move(b));
        observe(c.uses());
        observe(side(c));
        observe(a.uses());
    }
    observe(given);
}
