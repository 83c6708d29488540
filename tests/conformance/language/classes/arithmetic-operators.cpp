// what it asks: Do overloaded operators follow the built-in precedence and return new values?
void observe(long long value);

struct Vec {
    int x, y;
    Vec& operator+=(const Vec& o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    Vec operator-() const { return {-x, -y}; }
};
static Vec operator+(Vec a, const Vec& b) { return a += b; }
static Vec operator*(const Vec& v, int k) { return {v.x * k, v.y * k}; }
static int operator*(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y; }

int main() {
    Vec a{1, 2}, b{10, 20};
    Vec c = a + b * 3;
    observe(c.x * 1000 + c.y);
    observe(a * b);
    c += -a;
    observe(c.x * 1000 + c.y);
    (a += b) += b;
    observe(a.x * 1000 + a.y);
}
