// what it asks: Do methods that return *this by reference change one object, and by value a copy?
void observe(long long value);

struct Builder {
    int grid = 1;
    int block = 1;
    Builder& withGrid(int g) {
        grid = g;
        return *this;
    }
    Builder& withBlock(int b) {
        block = b;
        return *this;
    }
    Builder detached() const { return *this; }
    int threads() const { return grid * block; }
};

int main() {
    Builder b;
    b.withGrid(4).withBlock(32);
    observe(b.threads());
    int other = b.detached().withGrid(10).threads();
    observe(other);
    observe(b.threads() + 1);
    observe(Builder().withBlock(7).withGrid(3).withBlock(9).threads());
}
