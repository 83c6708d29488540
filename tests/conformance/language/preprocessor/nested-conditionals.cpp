// what it asks: Are nested groups in a skipped branch skipped whole, with their #else branches?
void observe(long long value);

#define OUTER 0
#define INNER 1

int main() {
    int v = 3;
#if OUTER
    v += 10;
#if INNER
    v += 100;
#else
    v += 1000;
#endif
    v += 10000;
#else
#if INNER
    v += 20;
#elif 1
    v += 200;
#endif
    v += 4;
#endif
    observe(v);
#if 0
    this text is not compiled
#else
    v *= 2;
#endif
    observe(v);
}
