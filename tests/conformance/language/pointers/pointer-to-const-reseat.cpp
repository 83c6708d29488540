// what it asks: May a pointer to const be reseated while a const pointer writes its fixed target?
void observe(long long value);

int main() {
    int a = 3;
    int b = 8;
    const int* view = &a;
    int* const fixed = &b;
    *fixed = 21;
    observe(*view);
    view = fixed;
    observe(*view);
    *fixed += *view;
    observe(*view);
    observe(a + b);
}
