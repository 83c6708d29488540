// std: c++20
// what it asks: Do designated initialisers set the named members and leave the rest at their defaults?
void observe(long long value);

struct Launch {
    int grid = 1;
    int block = 128;
    int shared;
    int stream = 9;
};
static int pack(const Launch& l) { return l.grid * 10000 + l.block * 10 + l.shared + l.stream; }

int main() {
    Launch a{.block = 32, .shared = 0};
    Launch b{.grid = 5, .shared = 0, .stream = 2};
    observe(pack(a));
    observe(pack(b));
    observe(pack({.grid = 2, .block = 64, .shared = 4, .stream = 0}));
    Launch c = {.shared = 8};
    observe(c.block + c.shared);
}
