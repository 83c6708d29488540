// what it asks: Is a full specialisation used for exactly its type?
void observe(long long value);

template <class T> struct Name {
    static constexpr int value = 5;
    static int grow(int v) { return v + 1; }
};
template <> struct Name<float> {
    static constexpr int value = 32;
    static int grow(int v) { return v * 2; }
};
template <> int Name<char>::grow(int v) { return v - 1; }

int main() {
    observe(Name<int>::value);
    observe(Name<float>::value);
    observe(Name<double>::grow(10));
    observe(Name<float>::grow(10));
    observe(Name<char>::grow(10) * 100 + Name<char>::value);
}
