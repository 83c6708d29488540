// what it asks: Do unscoped enumerators continue from the last explicit value and convert to int?
void observe(long long value);

enum Stage { Load = 3, Scale, Sum, Store = 20, Free };

int main() {
    observe(Scale);
    observe(Sum);
    observe(Free);
    Stage s = Sum;
    int next = s + 1;
    observe(next);
    s = static_cast<Stage>(Store);
    observe(s - Load);
}
