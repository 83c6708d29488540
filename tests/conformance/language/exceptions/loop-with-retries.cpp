// what it asks: Does a loop around a try block count failures and go on to the next round?
void observe(long long value);

static int attempts = 0;
static int flaky(int key) {
    ++attempts;
    if (attempts % 3 != 0) {
        throw key;
    }
    return key * 10;
}

int main() {
    int result = 0;
    int failures = 0;
    for (int key = 1; key <= 4; ++key) {
        while (true) {
            try {
                result += flaky(key);
                break;
            } catch (int k) {
                failures += k;
                if (k == 3) {
                    break;
                }
            }
        }
    }
    observe(result);
    observe(failures);
    observe(attempts);
}
