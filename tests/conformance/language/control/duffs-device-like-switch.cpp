// what it asks: Does a switch into the middle of a loop body copy exactly the remainder and then full groups?
void observe(long long value);

static int copyAll(int* to, const int* from, int n) {
    int rounds = (n + 3) / 4;
    int copied = 0;
    switch (n % 4) {
    case 0:
        do {
            *to++ = *from++; ++copied;
            [[fallthrough]];
    case 3:
            *to++ = *from++; ++copied;
            [[fallthrough]];
    case 2:
            *to++ = *from++; ++copied;
            [[fallthrough]];
    case 1:
            *to++ = *from++; ++copied;
        } while (--rounds > 0);
    }
    return copied;
}

int main() {
    int a[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    int b[11] = {};
    observe(copyAll(b, a, 10));
    observe(b[9]);
    observe(b[10] + 50);
    int again = copyAll(b, a + 8, 3);
    observe(again * 100 + b[2]);
}
