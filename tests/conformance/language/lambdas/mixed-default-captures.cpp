// what it asks: Do default captures with exceptions copy some variables and alias the others?
void observe(long long value);

int main() {
    int a = 1, b = 2, c = 3;
    auto f = [=, &c] {
        c += 100;
        return a * 1000 + b * 100 + c;
    };
    auto g = [&, a] {
        b += 5;
        return a * 1000 + b;
    };
    a = 9;
    b = 8;
    c = 7;
    observe(f());
    observe(c);
    observe(g());
    observe(b);
}
