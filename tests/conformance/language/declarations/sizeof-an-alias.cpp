// what it asks: Does sizeof of an alias give the size of what it stands for, be it a number, a class, a pointer or an array?
#include <cstddef>

void observe(long long value);

namespace flow {

using Real = double;
typedef Real Cell;

struct Pair {
    Cell first;
    int second;
};

using Both = Pair;
typedef float Row[6];
using Link = Pair *;
using Seen = const Both &;

static std::size_t bytes(int cells) {
    return sizeof(Real) * cells;
}

} // namespace flow

template <class T> struct Box {
    using Held = T;
    static long long size() { return sizeof(Held); }
};

int main() {
    using namespace flow;
    observe(bytes(5));
    observe(sizeof(Cell));
    observe(sizeof(flow::Both));
    observe(sizeof(Row));
    observe(sizeof(Link));
    observe(sizeof(Seen));
    observe(Box<short>::size());
    observe(Box<flow::Pair>::size());
}
