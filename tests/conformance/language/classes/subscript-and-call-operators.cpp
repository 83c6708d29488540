// what it asks: Do operator[] and operator() index a matrix by reference?
void observe(long long value);

class Matrix {
    int w_;
    int d_[12] = {};
public:
    explicit Matrix(int w) : w_(w) {}
    int* operator[](int row) { return d_ + row * w_; }
    int& operator()(int row, int col) { return d_[row * w_ + col]; }
    int operator()(int row) const {
        int s = 0;
        for (int i = 0; i < w_; ++i) s += d_[row * w_ + i];
        return s;
    }
};

int main() {
    Matrix m(4);
    m[1][2] = 5;
    m(1, 3) = 8;
    m(2, 0) += 7;
    observe(m(1));
    observe(m[2][0]);
    observe(m[1][4]);
    m[1][2]++;
    observe(m(1, 2) * 10 + m(0));
}
