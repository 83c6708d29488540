// what it asks: Does a store through a pointer change the variable it points to, and only that one?
void observe(long long value);

int main() {
    int a = 4;
    int b = 9;
    int* p = &a;
    *p = 11;
    p = &b;
    *p += 5;
    observe(a);
    observe(b);
    observe(*p - a);
}
