// what it asks: Do find_first_of, find_first_not_of and find_last_not_of trim and tokenise?
#include <string>

void observe(long long value);

int main() {
    std::string s = "  \t alpha, beta;  ";
    std::size_t first = s.find_first_not_of(" \t");
    std::size_t last = s.find_last_not_of(" ;");
    std::string trimmed = s.substr(first, last - first + 1);
    observe(static_cast<long long>(first));
    observe(static_cast<long long>(trimmed.size()));
    observe(static_cast<long long>(trimmed.find_first_of(";,")));
    observe(static_cast<long long>(trimmed.find_last_of('a')));
    observe(s.find_first_of("xyz") == std::string::npos ? 33 : 34);
}
