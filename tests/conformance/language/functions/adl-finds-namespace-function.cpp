// what it asks: Is an unqualified call resolved by argument-dependent lookup in the argument's namespace?
void observe(long long value);

namespace gpu {
struct Buffer { int n; };
int length(const Buffer& b) { return b.n * 2; }
int operator+(const Buffer& a, const Buffer& b) { return a.n + b.n + 1000; }
}
static int length(int n) { return n + 1; }

int main() {
    gpu::Buffer a{21};
    gpu::Buffer b{4};
    observe(length(a));
    observe(length(21));
    observe(a + b);
    observe(gpu::length(b));
}
