// what it asks: Is a returned reference an lvalue for the original object, unless copied by auto?
void observe(long long value);

static int table[4] = {1, 2, 3, 4};
static int& cell(int i) { return table[i]; }
static int& larger(int& a, int& b) { return a > b ? a : b; }

int main() {
    cell(2) = 30;
    observe(table[2]);
    auto copy = cell(3);
    copy = 99;
    observe(copy);
    observe(table[3]);
    auto& alias = cell(3);
    alias = 77;
    observe(table[3]);
    larger(table[0], table[1]) += 50;
    observe(table[1]);
    ++cell(0);
    observe(table[0]);
}
