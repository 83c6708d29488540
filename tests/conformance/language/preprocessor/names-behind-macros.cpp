// what it asks: Is a namespace called what its macro stands for, and is nothing left of a macro without a body?
void observe(long long value);

#define API __attribute__((visibility("default")))
#define LIB_NAMESPACE API lib
#ifdef LIB_TRACED
#define MARK(x) traced(x)
#else
#define MARK(x)
#endif

namespace LIB_NAMESPACE {
int doubled(int n) {
    int seen = 1;
    MARK(seen = 5);
    return n * 2 + seen;
}
}  // namespace LIB_NAMESPACE

int main() {
    observe(lib::doubled(4));
    MARK(observe(9));
    observe(lib::doubled(1));
}
