// what it asks: Does an extern declaration name the variable that is defined later in the file?
void observe(long long value);

extern int limit;
extern const int table[3];
static int scaled(int v) { return v * limit; }
static int viaLocal() {
    extern int limit;
    limit += 1;
    return limit;
}
int limit = 6;
extern const int table[3] = {4, 50, 600};

int main() {
    observe(scaled(3));
    observe(viaLocal());
    observe(scaled(3));
    int limit = 1000;
    limit += table[2];
    observe(limit);
    observe(::limit + table[1]);
}
