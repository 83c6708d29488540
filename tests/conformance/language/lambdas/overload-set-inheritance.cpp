// what it asks: Does a class that inherits several lambdas call the one for the argument's type?
void observe(long long value);

template <class... Fs> struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

int main() {
    int hits = 0;
    auto visit = Overloaded{
        [&hits](int v) { hits += 1; return v + 10; },
        [&hits](double v) { hits += 100; return static_cast<int>(v * 2); },
        [](const char* s) { return s[1] - s[0]; },
    };
    observe(visit(5));
    observe(visit(5.5));
    observe(visit("ad"));
    observe(hits);
}
