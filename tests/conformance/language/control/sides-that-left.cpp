// what it asks: Does what held for those that stayed hold where they meet those that left?
#include <string>

void observe(long long value);

// Six letters: a number that is hard to foresee.
int two() {
    std::string word = "kernel";
    return static_cast<int>(word.size() % 4);
}

int leaves_early(int n, int& changed) {
    changed = 1;
    if (n != 3) return 5;
    changed = 2;
    return n;
}

int leaves_nested(int n, int& changed) {
    if (n > 0) {
        changed = 7;
        if (n != 3) return 1;
        changed = 8;
    }
    changed = 8;
    return 2;
}

int main() {
    const int n = two();
    int changed = 0;
    int result = leaves_early(n, changed);
    observe(changed);
    observe(result);
    observe(n);
    result = leaves_nested(n, changed);
    observe(changed);
    observe(result);

    int skipped = 0;
    int counted = 0;
    for (int i = 0; i < 4; ++i) {
        if (i == n) continue;
        skipped = i;
        counted += 1;
    }
    observe(skipped);
    observe(counted);

    int found = 0;
    int tried = 0;
    for (int i = 0; i < 4; ++i) {
        if (i == n) {
            found = 9;
            break;
        }
        tried += 1;
    }
    observe(found);
    observe(tried);

    int chosen = 1;
    switch (n) {
    case 0:
        chosen = 3;
        break;
    case 2:
        if (chosen == 1 && result == 1) break;
        chosen = 4;
    default:
        chosen = 5;
    }
    observe(chosen);

    int jumped = 1;
    if (n == 2) goto out;
    jumped = 2;
out:
    observe(jumped);
    observe(n);
    return 0;
}
