// what it asks: Do prefix and postfix increment and decrement yield the new and the old value?
void observe(long long value);

int main() {
    int i = 5;
    int a = i++;
    int b = ++i;
    observe(a);
    observe(b);
    int c = i--;
    int d = --i;
    observe(c * 10 + d);
    observe(i);
    int k = 0;
    int values[3] = {0, 0, 0};
    values[k++] = 8;
    values[k++] = 9;
    observe(values[0] * 100 + values[1] * 10 + k);
}
