// what it asks: Do isdigit, isalpha, isspace, toupper and tolower sort characters?
#include <cctype>
#include <cstddef>

void observe(long long value);

int main() {
    const char text[] = "Warp 32: Lane_07\n";
    int digits = 0, letters = 0, blanks = 0, upper = 0, value = 0;
    for (std::size_t i = 0; text[i]; ++i) {
        unsigned char c = static_cast<unsigned char>(text[i]);
        if (std::isdigit(c)) {
            ++digits;
            value = value * 10 + (c - '0');
        } else if (std::isalpha(c)) {
            ++letters;
            if (std::toupper(c) == c) ++upper;
        } else if (std::isspace(c)) {
            ++blanks;
        }
    }
    observe(digits * 100 + letters);
    observe(blanks * 10 + upper);
    observe(value);
    observe(std::tolower('Q') - std::tolower('a'));
}
