// std: c++20
// what it asks: Is a constinit variable set before every dynamic initialiser and still writable?
void observe(long long value);

extern int early;
static int readEarly() { return early * 2; }
static int dynamic = readEarly();
constexpr int start(int k) { return k * k + 1; }
constinit int early = start(6);
static constinit int counter = 5;

int main() {
    observe(dynamic);
    observe(early);
    early += counter;
    counter *= 3;
    observe(early);
    observe(counter);
}
