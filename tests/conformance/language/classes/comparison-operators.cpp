// what it asks: Do user-defined comparisons decide ordering by their own key?
void observe(long long value);

struct Version {
    int major, minor;
};
static bool operator<(const Version& a, const Version& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}
static bool operator==(const Version& a, const Version& b) { return a.major == b.major && a.minor == b.minor; }
static bool operator!=(const Version& a, const Version& b) { return !(a == b); }

int main() {
    Version v[4] = {{3, 5}, {2, 9}, {3, 1}, {2, 9}};
    int least = 0;
    int equal = 0;
    for (int i = 1; i < 4; ++i) {
        if (v[i] < v[least]) least = i;
        if (v[i] == v[1]) equal += 10;
        if (v[i] != v[1]) equal += 1;
    }
    observe(least);
    observe(equal);
    observe(v[0] < v[2] ? 6 : 7);
}
