// what it asks: Are base constructors run first with the arguments from the initialiser list?
void observe(long long value);

static int trace = 0;
struct Tensor {
    int size;
    explicit Tensor(int n) : size(n) { trace = trace * 10 + 1; }
    Tensor() : Tensor(99) {}
};
struct Image : Tensor {
    int channels;
    Image(int w, int h, int c) : Tensor(w * h * c), channels(c) { trace = trace * 10 + 2; }
    Image() : channels(size - 90) { trace = trace * 10 + 3; }
};

int main() {
    Image a(4, 5, 3);
    observe(a.size);
    observe(trace);
    Image b;
    observe(b.size * 10 + b.channels);
    observe(trace);
}
