// what it asks: Does a const_cast write reach a non-const object that is seen through a const reference?
void observe(long long value);

static void bump(const int& v) {
    const_cast<int&>(v) += 10;
}

int main() {
    int count = 5;
    const int& view = count;
    bump(count);
    observe(count);
    bump(view);
    observe(view);
    const int* p = &count;
    *const_cast<int*>(p) = 99;
    observe(view);
}
