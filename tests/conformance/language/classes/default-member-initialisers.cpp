// what it asks: Do default member initialisers apply only where the constructor gives no value?
void observe(long long value);

static int made = 40;
struct Config {
    int block = 256;
    int grid = block / 2;
    int id = ++made;
    Config() = default;
    explicit Config(int b) : block(b) {}
    Config(int b, int g) : block(b), grid(g), id(0) {}
};

int main() {
    Config a;
    Config b(64);
    Config c(32, 5);
    observe(a.block + a.grid);
    observe(b.grid);
    observe(b.id);
    observe(c.grid + c.id);
    observe(made);
}
