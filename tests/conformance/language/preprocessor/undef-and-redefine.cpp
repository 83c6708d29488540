// what it asks: Does each use of a macro see the definition that is in force at its line?
void observe(long long value);

#define STEP 3
static int first() { return STEP; }
#undef STEP
#define STEP 40
static int second() { return STEP; }
#define TWICE (STEP * 2)
static int third() { return TWICE; }
#undef STEP
#define STEP 500

int main() {
    observe(first());
    observe(second());
    observe(third());
    observe(TWICE);
    observe(STEP + first());
}
