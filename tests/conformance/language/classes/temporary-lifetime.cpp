// what it asks: Does a temporary die at the end of its full expression unless a reference extends it?
void observe(long long value);

static int alive = 0;
struct Temp {
    int v;
    explicit Temp(int x) : v(x) { alive += 10; }
    Temp(const Temp&) = delete;
    ~Temp() { alive -= 10; }
    int get() const { return v + alive; }
};

int main() {
    int during = Temp(5).get();
    observe(during);
    during = Temp(6).get() + 1;
    observe(during + alive);
    {
        const Temp& extended = Temp(7);
        observe(alive);
        observe(extended.get());
    }
    observe(alive);
}
