// what it asks: Are a class's operator new and delete inherited, and handed the pointer that new gave?
#include <cstddef>
#include <cstdlib>
void observe(long long value);

static int balance = 0;
struct Pooled {
    int weight;
    explicit Pooled(int w) : weight(w) {}
    virtual ~Pooled() = default;
    static void* operator new(std::size_t n) { balance += 1; return std::malloc(n); }
    static void operator delete(void* p) { balance += 100; std::free(p); }
};
struct Heavy : Pooled {
    Heavy() : Pooled(70) {}
    ~Heavy() override { balance += 10000; }
};

int main() {
    Pooled* a = new Pooled(6);
    Pooled* b = new Heavy;
    observe(balance);
    observe(a->weight + b->weight);
    delete b;
    observe(balance);
    delete a;
    Heavy local;
    observe(balance + local.weight);
}
