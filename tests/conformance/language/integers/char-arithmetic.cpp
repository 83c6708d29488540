// what it asks: Do character constants behave as small integers in arithmetic and comparison?
void observe(long long value);

int main() {
    char c = 'a';
    c = static_cast<char>(c + 3);
    observe(c == 'd' ? 4 : 3);
    int digit = '7' - '0';
    observe(digit);
    int value = 0;
    const char digits[3] = {'2', '0', '9'};
    for (char d : digits) {
        value = value * 10 + (d - '0');
    }
    observe(value);
    char letter = 'q';
    observe(letter - 'a' + 1);
}
