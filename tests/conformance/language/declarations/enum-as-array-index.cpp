// what it asks: Do enumerators with a trailing count index an array and bound a loop?
void observe(long long value);

enum Counter { Loads, Stores, Launches, Syncs, CounterCount };
static int totals[CounterCount];
static void count(Counter c, int n = 1) { totals[c] += n; }

int main() {
    count(Launches);
    count(Stores, 40);
    count(Launches, 6);
    count(static_cast<Counter>(Syncs - 3), 9);
    int weighted = 0;
    for (int c = Loads; c < CounterCount; ++c) {
        weighted += totals[c] * (c + 1);
    }
    observe(totals[Launches]);
    observe(totals[Loads]);
    observe(weighted);
    observe(CounterCount * 10);
}
