// what it asks: Does an extern declaration in a function reach the namespace's variable, past a local of the same name?
void observe(long long value);

namespace pool {
int used = 40;
static int take() {
    extern int used;
    return used += 2;
}
}
int used = 1;
static int outer() {
    int used = 500;
    {
        extern int used;
        used += 5;
    }
    return used;
}

int main() {
    observe(pool::take());
    observe(outer());
    observe(used);
    int used = 9;
    observe(::used * 10 + used);
}
