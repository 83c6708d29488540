// what it asks: Is a default argument expression evaluated anew at each call that needs it?
void observe(long long value);

static int counter = 10;
static int next() { return ++counter; }
static int use(int a, int id = next()) { return a * 100 + id; }

int main() {
    observe(use(1));
    observe(use(1));
    observe(use(1, 7));
    observe(use(2));
    observe(counter);
}
