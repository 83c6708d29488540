// what it asks: Does a redeclaration in the same scope add a default argument to an earlier one?
void observe(long long value);

static int area(int w, int h);
static int area(int w, int h = 7);

static int area(int w, int h) {
    return w * h;
}

int main() {
    observe(area(3));
    observe(area(3, 4));
    observe(area(area(2)) + 1);
}
