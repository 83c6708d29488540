// what it asks: Do sides that left an inner loop, or a switch, meet those that stayed there, however many left the outer loop before?
#include <string>

void observe(long long value);

// Six letters: a number that is hard to foresee.
int two() {
    std::string word = "kernel";
    return static_cast<int>(word.size() % 4);
}

void set(int& it) { it = 1; }

int main() {
    const int n = two();

    int inner = 0;
    for (int i = 0; i < 14; ++i) {
        if (n == 40 + i) break;
        int found = 5;
        for (int k = 0; k < 3; ++k) {
            if (n == 2) {
                found = 9;
                break;
            }
        }
        if (i >= 10 && found == 9) set(inner);
    }
    observe(inner);

    int section = 0;
    for (int i = 0; i < 14; ++i) {
        if (n == 60 + i) break;
        int found = 5;
        switch (i % 2) {
        default:
            if (n == 2) {
                found = 9;
                break;
            }
            found = 6;
        }
        if (i >= 10 && found == 9) set(section);
    }
    observe(section);
    return 0;
}
