// what it asks: which value an increment gives and which one it leaves.
void observe(long long value);

int main() {
    int i = 5;
    int before = i++;
    int after = ++i;
    observe(before * 100 + after);
    observe(i);
    int values[] = {10, 20, 30, 40};
    int at = 1;
    int taken = values[at--];
    observe(taken + at);
    observe(values[++at + 1]);
    return 0;
}
