// what it asks: Is the const overload chosen for const objects and the other for mutable ones?
void observe(long long value);

struct Buffer {
    int data[2] = {4, 6};
    int& at(int i) { reads += 1; return data[i]; }
    int at(int i) const { return data[i] + 100; }
    int reads = 0;
};
static int read(const Buffer& b) { return b.at(1); }

int main() {
    Buffer b;
    observe(b.at(1));
    b.at(1) = 9;
    observe(read(b));
    const Buffer c;
    observe(c.at(0));
    observe(b.reads + c.reads);
}
