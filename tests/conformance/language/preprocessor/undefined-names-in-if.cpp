// what it asks: Is an undefined identifier zero in #if, and an empty or zero macro told from a missing one?
void observe(long long value);

#define ZERO 0
#define SHIFT (1 << 4)
#define DEEP SHIFT + 2

int main() {
    int v = 1;
#if UNKNOWN_NAME_OF_NOTHING
    v += 10;
#endif
#if ZERO
    v += 100;
#endif
#ifdef ZERO
    v += 1000;
#endif
    observe(v);
#if DEEP == 18 && UNKNOWN_NAME_OF_NOTHING + 1
    v = 6;
#endif
    observe(v);
#if (2 - 7) / 2 == -2
    v += 40;
#endif
    observe(v);
}
