// what it asks: Does continue in a do-while jump to the test of the condition?
void observe(long long value);

int main() {
    int i = 0;
    int body = 0;
    do {
        ++i;
        if (i == 3) {
            continue;
        }
        body += i;
    } while (i < 5);
    observe(body);
    observe(i);
    int once = 0;
    do {
        ++once;
        if (once < 100) {
            continue;
        }
        once = -1;
    } while (once < 0);
    observe(once + 6);
}
