// what it asks: Do #if, #elif, #else and #ifdef keep exactly the branch their constants choose?
void observe(long long value);

#define ARCH 80
#define FEATURE
#if ARCH >= 90
#define TILE 128
#elif ARCH >= 70
#define TILE 64
#else
#define TILE 16
#endif

int main() {
    int v = TILE;
#ifdef FEATURE
    v += 1000;
#else
    v += 2000;
#endif
    observe(v);
#ifndef MISSING
    v = 5;
#endif
    observe(v);
#if defined(FEATURE) && !defined(MISSING) && (ARCH % 7 == 3)
    v *= 11;
#endif
    observe(v);
}
