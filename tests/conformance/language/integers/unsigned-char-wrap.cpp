// what it asks: Does an unsigned char counter wrap at 256 after a loop of increments?
void observe(long long value);

int main() {
    unsigned char c = 250;
    for (int i = 0; i < 10; ++i) {
        ++c;
    }
    observe(c);
    c = static_cast<unsigned char>(c - 5);
    observe(c);
    int wide = 250;
    wide += 10;
    observe(wide);
}
