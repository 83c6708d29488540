// what it asks: Do typedef and using name array, function and pointer types that behave like the originals?
void observe(long long value);

typedef int Row[4];
typedef int (*Binary)(int, int);
using Matrix = Row[3];
using Unary = int(int);
static int minus(int a, int b) { return a - b; }
static int negate(int a) { return -a; }
static int applyTwice(Unary* f, int v) { return f(f(v)) + f(v) * 10; }

int main() {
    Matrix m = {{1}, {5, 6}, {9, 0, 0, 8}};
    observe(m[2][3] * 100 + m[1][1]);
    observe(sizeof(Matrix) / sizeof(Row) * 10 + sizeof(Row) / sizeof(int));
    Binary op = minus;
    observe(op(20, 6));
    observe(applyTwice(negate, 5));
    typedef Row* RowPointer;
    RowPointer p = m + 1;
    observe((*p)[0]);
}
