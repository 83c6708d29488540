// what it asks: Does a loop narrowing a view visit each word once?
#include <string_view>

void observe(long long value);

static int count_words(std::string_view text, std::size_t& longest) {
    int words = 0;
    longest = 0;
    while (!text.empty()) {
        std::size_t skip = text.find_first_not_of(' ');
        if (skip == std::string_view::npos) break;
        text.remove_prefix(skip);
        std::size_t len = text.find(' ');
        if (len == std::string_view::npos) len = text.size();
        if (len > longest) longest = len;
        ++words;
        text.remove_prefix(len);
    }
    return words;
}
int main() {
    std::size_t longest = 0;
    constexpr std::string_view line = "  grid  block shared-bytes s ";
    observe(count_words(line, longest));
    observe(static_cast<long long>(longest));
    observe(count_words("   ", longest) + 30);
    observe(static_cast<long long>(line.size()));
}
