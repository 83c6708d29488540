// what it asks: Are static locals initialised on first use only, in the order in which control reaches them?
void observe(long long value);

static int order = 0;
struct Unit {
    int id;
    explicit Unit(int i) : id(i) { order = order * 10 + i; }
};
static int use(int which) {
    if (which == 1) {
        static Unit one(1);
        return one.id += 10;
    }
    static Unit two(2);
    return two.id += 20;
}
static Unit global(3);

int main() {
    observe(order);
    observe(use(2));
    observe(use(1));
    observe(use(2));
    observe(order);
}
