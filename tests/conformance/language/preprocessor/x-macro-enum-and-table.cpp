// what it asks: Does an X-macro list generate an enum, a table and a switch that agree?
void observe(long long value);

#define KERNELS(X) \
    X(Copy, 10)    \
    X(Scale, 25)   \
    X(Reduce, 70)  \
    X(Scan, 90)

#define AS_ENUM(name, cost) name,
#define AS_COST(name, cost) cost,
#define AS_CASE(name, cost) \
    case name:              \
        return #name[1];
enum Kernel { KERNELS(AS_ENUM) KernelCount };
static const int costs[] = {KERNELS(AS_COST)};
static int second(Kernel k) {
    switch (k) {
        KERNELS(AS_CASE)
    default:
        return -1;
    }
}

int main() {
    observe(KernelCount);
    observe(costs[Reduce]);
    observe(second(Copy) - 'a');
    observe(second(KernelCount));
#define PLUS_COST(name, cost) +cost
    observe(0 KERNELS(PLUS_COST));
}
