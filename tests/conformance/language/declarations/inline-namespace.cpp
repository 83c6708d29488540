// what it asks: Is an inline namespace's member found without its name, next to an older version?
void observe(long long value);

namespace lib {
namespace v1 {
int run(int n) { return n + 1; }
struct Config { int size = 10; };
}
inline namespace v2 {
int run(int n) { return n * 100; }
struct Config { int size = 20; };
}
int size(const Config& c) { return c.size * 2; }
}

int main() {
    observe(lib::run(3));
    observe(lib::v1::run(3));
    observe(lib::v2::run(4));
    lib::Config c;
    lib::v1::Config old;
    observe(size(c) + old.size);
}
