// what it asks: Are binary, octal, hexadecimal and digit-separated literals read with their own base?
void observe(long long value);

int main() {
    observe(0b101101);
    observe(0755);
    observe(0xBEE);
    observe(1'000'00);
    observe(010 + 10 + 0x10);
}
