// what it asks: Does the shifting-arguments trick count macro arguments and dispatch to a macro by arity?
void observe(long long value);

#define PICK(a, b, c, d, n, ...) n
#define NARGS(...) PICK(__VA_ARGS__, 4, 3, 2, 1, 0)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define ADD1(a) ((a) + 500)
#define ADD2(a, b) ((a) * 10 + (b))
#define ADD3(a, b, c) ((a) * 100 + (b) * 10 + (c))
#define ADD(...) CAT(ADD, NARGS(__VA_ARGS__))(__VA_ARGS__)

int main() {
    observe(NARGS(x, y, z));
    observe(NARGS((x, y), z));
    observe(ADD(7));
    observe(ADD(7, 8));
    observe(ADD(7, 8, 9));
}
