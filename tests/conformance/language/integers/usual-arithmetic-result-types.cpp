// what it asks: Do the usual arithmetic conversions choose int, unsigned, long long and double as results?
void observe(long long value);

template <class T> int tag(T) { return 9; }
template <> int tag<int>(int) { return 1; }
template <> int tag<unsigned int>(unsigned int) { return 2; }
template <> int tag<long long>(long long) { return 3; }
template <> int tag<double>(double) { return 4; }
template <> int tag<unsigned long long>(unsigned long long) { return 5; }

int main() {
    short s = 1;
    unsigned char c = 2;
    observe(tag(s + c));
    observe(tag(1 + 2u));
    observe(tag(2u + 3LL));
    observe(tag(3LL * 1.0f + 2.0));
    observe(tag(1LL + 2ULL));
    observe(tag(true + 'x'));
}
