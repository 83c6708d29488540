// what it asks: Does a host class behave according to the policies it inherits from?
void observe(long long value);

struct Checked {
    static int index(int i, int n) { return i < n ? i : n - 1; }
};
struct Wrapped {
    static int index(int i, int n) { return i % n; }
};
struct Zero {
    int initial() const { return 0; }
};
struct Five {
    int initial() const { return 5; }
};
template <class Index, class Init = Zero> class Table : Index, Init {
    int d_[4];
public:
    Table() {
        for (int i = 0; i < 4; ++i) d_[i] = Init::initial() + i;
    }
    int& at(int i) { return d_[Index::index(i, 4)]; }
};

int main() {
    Table<Checked> a;
    Table<Wrapped, Five> b;
    observe(a.at(9));
    observe(b.at(9));
    a.at(100) = 70;
    b.at(100) = 80;
    observe(a.at(3));
    observe(b.at(0) + b.at(3));
}
