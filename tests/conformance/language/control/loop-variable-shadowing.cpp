// what it asks: Does an inner declaration shadow the outer one without changing it?
void observe(long long value);

int main() {
    int n = 5;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        int n2 = 0;
        {
            int sum = 1000;
            sum += i;
            n2 = sum;
        }
        sum += n2 - 1000;
    }
    observe(sum);
    if (int n = 40; n > 10) {
        sum += n;
    }
    observe(sum);
    observe(n);
}
