// std: c++20
// what it asks: Does a consteval function yield its constant wherever it is called?
void observe(long long value);

consteval int hash(const char* s) {
    int h = 7;
    while (*s != '\0') {
        h = (h * 31 + *s++ - 'a') % 1009;
    }
    return h;
}
static int dispatch(int key) {
    switch (key) {
    case hash("copy"):
        return 100;
    case hash("fill"):
        return 200;
    default:
        return 300;
    }
}

int main() {
    observe(hash("a"));
    observe(dispatch(hash("fill")));
    observe(dispatch(hash("copy")));
    observe(dispatch(hash("scan")));
}
