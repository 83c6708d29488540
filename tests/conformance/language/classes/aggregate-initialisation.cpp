// what it asks: Does aggregate initialisation fill members in order and the rest with zero or their defaults?
void observe(long long value);

struct Inner {
    int a;
    int b = 7;
};
struct Outer {
    int n;
    Inner in[2];
    int tail[3];
};

int main() {
    Outer o = {1, {{2}, {3, 4}}, {5, 6}};
    observe(o.in[0].b);
    observe(o.in[1].b);
    observe(o.tail[1] * 10 + o.tail[2]);
    Outer z{};
    observe(z.in[1].b + z.n);
    int matrix[2][3] = {{1}, {4, 5}};
    observe(matrix[0][0] * 1000 + matrix[0][1] * 100 + matrix[1][1] * 10 + matrix[1][2]);
}
