// what it asks: Does stoi throw invalid_argument for no digits and out_of_range for too many?
#include <stdexcept>
#include <string>

void observe(long long value);

static int parse(const std::string& s, int fallback) {
    try {
        return std::stoi(s);
    } catch (const std::invalid_argument&) {
        return fallback + 1;
    } catch (const std::out_of_range&) {
        return fallback + 2;
    }
}
int main() {
    observe(parse("256", 500));
    observe(parse("abc", 500));
    observe(parse("99999999999", 500));
    observe(parse("", 600) + parse("-7up", 600));
}
