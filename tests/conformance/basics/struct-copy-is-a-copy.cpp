// what it asks: whether a copy of a struct changes with the original.
void observe(long long value);

int main() {
    struct Inner {
        int depth;
    };
    struct Outer {
        int width;
        Inner inner;
    };
    Outer original{3, {4}};
    Outer copy = original;
    original.width = 30;
    original.inner.depth = 40;
    observe(copy.width * 10 + copy.inner.depth);
    copy = original;
    original.inner.depth = 7;
    observe(copy.inner.depth + original.inner.depth);
    return 0;
}
