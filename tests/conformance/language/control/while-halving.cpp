// what it asks: How often does a while loop halve its variable, and what is left in it?
void observe(long long value);

int main() {
    int n = 1000;
    int steps = 0;
    while (n > 1) {
        n /= 2;
        ++steps;
    }
    observe(steps);
    observe(n);
    int m = 700;
    while (m % 2 == 0) {
        m /= 2;
    }
    observe(m);
}
