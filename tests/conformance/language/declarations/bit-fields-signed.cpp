// std: c++20
// what it asks: Does a signed bit field keep negative values and wrap within its width?
void observe(long long value);

struct Delta {
    signed int dx : 4;
    signed int dy : 6;
};

int main() {
    Delta d{-3, 20};
    observe(d.dx);
    observe(d.dy);
    d.dx = static_cast<int>(d.dx) * 2;
    observe(d.dx);
    int nine = 9;
    d.dx = nine;
    observe(d.dx);
    d.dy += 20;
    observe(d.dy);
}
