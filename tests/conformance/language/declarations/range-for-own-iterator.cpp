// what it asks: Does range-for call begin, end, !=, * and ++ of an own iterator as it should?
void observe(long long value);

class Steps {
    int from_, to_, by_;
public:
    class It {
        int v_, by_;
    public:
        static int moves;
        It(int v, int by) : v_(v), by_(by) {}
        int operator*() const { return v_; }
        It& operator++() {
            v_ += by_;
            ++moves;
            return *this;
        }
        bool operator!=(const It& o) const { return v_ < o.v_; }
    };
    Steps(int f, int t, int b) : from_(f), to_(t), by_(b) {}
    It begin() const { return It(from_, by_); }
    It end() const { return It(to_, by_); }
};
int Steps::It::moves = 0;

int main() {
    int sum = 0;
    for (int v : Steps(3, 20, 4)) sum += v;
    observe(sum);
    observe(Steps::It::moves);
    for (int v : Steps(9, 9, 1)) sum += v * 1000;
    observe(sum + 1);
    for (int v : Steps(0, 100, 7)) {
        if (v > 20) break;
        sum = v;
    }
    observe(sum);
    observe(Steps::It::moves);
}
