// what it asks: Do for loops with 0, 1, 7 and 1000 trips leave the exact count and last index?
void observe(long long value);

static int run(int n, int* last) {
    int trips = 0;
    *last = -5;
    for (int i = 0; i < n; ++i) {
        ++trips;
        *last = i;
    }
    return trips;
}

int main() {
    int last = 0;
    int trips = run(0, &last);
    observe(trips + last);
    trips = run(1, &last);
    observe(trips + last);
    trips = run(7, &last);
    observe(trips + last);
    observe(run(1000, &last));
    observe(last);
}
