// what it asks: Does a callback with a void pointer to user data accumulate in the caller's object?
void observe(long long value);

struct Totals {
    int calls;
    int sum;
};
static void onItem(void* user, int item) {
    Totals* t = static_cast<Totals*>(user);
    t->calls++;
    t->sum += item;
}
static void each(int n, void (*cb)(void*, int), void* user) {
    for (int i = 0; i < n; ++i) {
        cb(user, i * 3);
    }
}

int main() {
    Totals t{0, 1000};
    each(5, onItem, &t);
    observe(t.calls);
    observe(t.sum);
    each(2, onItem, &t);
    observe(t.calls * 10000 + t.sum);
}
