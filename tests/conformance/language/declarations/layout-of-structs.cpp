// what it asks: Is the size of a struct what its members and their alignment make it?
#include <cstddef>
#include <cstdint>

void observe(long long value);

namespace {
struct Entry {
    int key;
    int row;
};
struct Mixed {
    char tag;
    double weight;
    short count;
};
constexpr int kLanes = 3;
struct Nested {
    Entry entries[kLanes];
    Mixed* next;
    char last;
};
struct Empty {};
struct alignas(32) Wide {
    int first;
};
struct Flags {
    unsigned low : 3;
    unsigned high : 5;
};
struct Held {
    static int count;
    const Entry& entry;
    std::uint8_t code;
};
struct Base {
    virtual ~Base() {}
    int value;
};
struct Derived : Entry {
    int more;
};

template <class T>
struct Buffer {
    std::size_t bytes;
    explicit Buffer(std::size_t count) : bytes(count * sizeof(T)) {}
};
}  // namespace

int main() {
    observe(sizeof(Entry));
    observe(sizeof(Mixed));
    observe(sizeof(Nested));
    observe(sizeof(Empty));
    observe(sizeof(Wide));
    observe(sizeof(Flags));
    observe(sizeof(Held));
    observe(sizeof(Base));
    observe(sizeof(Derived));
    Buffer<Entry> entries(16);
    observe(entries.bytes);
    Buffer<Mixed*> pointers(16);
    observe(pointers.bytes);
    observe(sizeof(long double) > sizeof(double));
}
