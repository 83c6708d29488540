// what it asks: Are locals destroyed in reverse order of construction at the end of each scope?
void observe(long long value);

static int trail = 0;
struct Mark {
    int d;
    explicit Mark(int x) : d(x) {}
    ~Mark() { trail = trail * 10 + d; }
};

int main() {
    {
        Mark a(1), b(2);
        {
            Mark c(3);
        }
        Mark d(4);
        observe(trail);
    }
    observe(trail);
    trail = 0;
    for (int i = 5; i < 8; ++i) {
        Mark m(i);
        if (i == 6) continue;
        trail += 100;
    }
    observe(trail);
}
