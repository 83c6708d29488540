// what it asks: Does a delegating constructor run its target first and then its own body?
void observe(long long value);

struct Buffer {
    int size;
    int trail = 5;
    Buffer(int n, int fill) : size(n) { trail = trail * 10 + fill; }
    explicit Buffer(int n) : Buffer(n, 3) { trail = trail * 10 + 4; }
    Buffer() : Buffer(16) { trail = trail * 10 + 9; }
};

int main() {
    Buffer a(2, 7);
    Buffer b(8);
    Buffer c;
    observe(a.trail);
    observe(b.trail);
    observe(c.trail);
    observe(c.size);
}
