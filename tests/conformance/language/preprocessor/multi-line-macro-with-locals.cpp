// what it asks: Does a multi-line macro that declares locals work in a block of its own and write its result argument?
void observe(long long value);

#define DOT(result, a, b, n)                 \
    {                                        \
        int acc_ = 0;                        \
        for (int i_ = 0; i_ < (n); ++i_) {   \
            acc_ += (a)[i_] * (b)[i_];       \
        }                                    \
        (result) = acc_;                     \
    }
#define SWAP(T, a, b) { T t_ = (a); (a) = (b); (b) = t_; }

int main() {
    int a[4] = {1, 2, 3, 4};
    int b[4] = {10, 20, 30, 40};
    int r = -1;
    DOT(r, a, b, 4)
    observe(r);
    DOT(r, a + 1, b, 3)
    observe(r);
    int acc = r;
    SWAP(int, acc, b[0])
    observe(acc);
    observe(b[0]);
}
