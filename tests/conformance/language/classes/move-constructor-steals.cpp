// what it asks: Does a move constructor take the resource and leave the source empty?
#include <utility>

void observe(long long value);

class Block {
    int* p_;
    int n_;
public:
    explicit Block(int n) : p_(new int[n]), n_(n) {
        for (int i = 0; i < n; ++i) p_[i] = i + 1;
    }
    Block(Block&& o) noexcept : p_(o.p_), n_(o.n_) {
        o.p_ = nullptr;
        o.n_ = 0;
    }
    Block(const Block&) = delete;
    ~Block() { delete[] p_; }
    int size() const { return n_; }
    int last() const { return n_ > 0 ? p_[n_ - 1] * 11 : -1; }
};
static int consume(Block b) { return b.last(); }

int main() {
    Block a(6);
    Block b(std::move(a));
    observe(a.size() * 10 + a.last());
    observe(b.last());
    observe(consume(std::move(b)));
    observe(b.size() + 30);
    observe(consume(Block(3)));
}
