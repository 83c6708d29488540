// what it asks: Does a macro that hands its arguments to another one choose by how many they are?
void observe(long long value);

#define NAMED(_1, _2, _3, name, ...) name
#define SUM_1(a) (a)
#define SUM_2(a, b) ((a) * 10 + (b))
#define SUM_3(a, b, c) ((a) * 100 + (b) * 10 + (c))
#define SUM(...) NAMED(__VA_ARGS__, SUM_3, SUM_2, SUM_1, 0)(__VA_ARGS__)

int main() {
    observe(SUM(4));
    observe(SUM(4, 5));
    observe(SUM(4, 5, 6));
}
