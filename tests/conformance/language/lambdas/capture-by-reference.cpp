// what it asks: Does a by-reference capture see later changes and write back?
void observe(long long value);

int main() {
    int total = 10;
    int step = 2;
    auto add = [&total, &step] { total += step; };
    add();
    observe(total);
    step = 50;
    add();
    observe(total);
    auto all = [&] { return total * 10 + step; };
    step = 1;
    observe(all());
}
