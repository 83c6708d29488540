// what it asks: when destructors run, and in which order.
void observe(long long value);

static int order = 0;
struct Mark {
    int digit;
    explicit Mark(int digit) : digit(digit) {}
    ~Mark() { order = order * 10 + digit; }
};

int main() {
    {
        Mark first(1);
        Mark second(2);
        observe(order);
    }
    observe(order);
    Mark(3);
    observe(order);
    return 0;
}
