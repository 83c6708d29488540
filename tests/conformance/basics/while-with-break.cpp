// what it asks: what variables hold after a loop that is left in its middle.
void observe(long long value);

int main() {
    int steps = 0;
    int value = 27;
    while (true) {
        if (value == 1 || steps == 6) {
            break;
        }
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        ++steps;
    }
    observe(steps);
    observe(value);
    return 0;
}
