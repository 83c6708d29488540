// what it asks: Do a class's own operator new and delete run for its objects only?
#include <cstddef>
#include <new>

void observe(long long value);

static int allocated = 0;
static int freed = 0;
struct Node {
    int v = 6;
    static void* operator new(std::size_t n) {
        ++allocated;
        return ::operator new(n);
    }
    static void operator delete(void* p) {
        freed += 10;
        ::operator delete(p);
    }
};
struct Child : Node {};

int main() {
    Node* a = new Node;
    Node* b = new Child;
    int* plain = new int(5);
    observe(allocated);
    delete plain;
    delete a;
    observe(freed);
    Node local;
    observe(local.v + b->v + allocated);
    delete static_cast<Child*>(b);
    observe(freed + allocated);
}
