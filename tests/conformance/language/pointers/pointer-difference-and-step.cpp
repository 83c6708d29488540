// what it asks: Do pointer addition and difference count elements and not bytes?
void observe(long long value);

int main() {
    double data[10] = {};
    double* first = data;
    double* p = first + 7;
    p -= 2;
    observe(p - first);
    *p = 2.5;
    observe(static_cast<int>(data[5] * 10));
    observe((data + 10) - p);
    ++p;
    p++;
    observe(static_cast<int>(p - data));
}
