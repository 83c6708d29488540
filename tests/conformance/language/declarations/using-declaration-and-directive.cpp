// what it asks: Does a using declaration make one name visible in a scope and a directive all of them?
void observe(long long value);

namespace a {
int pick(int v) { return v + 1; }
int extra(int v) { return v * 3; }
}
namespace b {
int pick(double v) { return static_cast<int>(v * 100); }
}
namespace shortcut = a;
static int viaDirective(int v) {
    using namespace a;
    return pick(v) + extra(v);
}

int main() {
    using a::pick;
    observe(pick(2.5 > 2 ? 7 : 8));
    using b::pick;
    observe(pick(2));
    observe(pick(2.5));
    observe(viaDirective(10));
    observe(shortcut::extra(5));
}
