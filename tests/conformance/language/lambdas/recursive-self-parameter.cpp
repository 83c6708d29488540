// what it asks: Does a generic lambda that receives itself recurse without std::function?
void observe(long long value);

int main() {
    auto power = [](auto self, int base, int exp) -> int {
        return exp == 0 ? 1 : base * self(self, base, exp - 1);
    };
    observe(power(power, 3, 5));
    observe(power(power, 7, 0));
    int depth = 0;
    auto walk = [&depth](auto&& self, int n) -> void {
        ++depth;
        if (n > 1) {
            self(self, n / 2);
            self(self, n / 3);
        }
    };
    walk(walk, 12);
    observe(depth);
}
