// what it asks: Does a structured binding by reference alias the members and elements?
void observe(long long value);

struct Range {
    int begin;
    int end;
};

int main() {
    Range r{5, 9};
    auto& [b, e] = r;
    b = 1;
    r.end = 90;
    observe(r.begin * 1000 + e);
    int data[3] = {1, 2, 3};
    auto& [x, y, z] = data;
    y *= 10;
    z += y;
    observe(data[1] + data[2] * 100 + x);
    const auto& [cb, ce] = r;
    e = 33;
    observe(cb + ce);
}
