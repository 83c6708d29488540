// what it asks: Does a guard tell unwinding from a normal exit by std::uncaught_exceptions?
#include <exception>

void observe(long long value);

static int trail = 0;
struct Transaction {
    int before = std::uncaught_exceptions();
    ~Transaction() { trail = trail * 10 + (std::uncaught_exceptions() > before ? 2 : 1); }
};
static void run(bool fail) {
    Transaction t;
    if (fail) {
        throw 3;
    }
}

int main() {
    run(false);
    observe(trail);
    try {
        run(true);
    } catch (int e) {
        trail = trail * 10 + e;
        run(false);
    }
    observe(trail);
    run(false);
    observe(trail);
}
