// what it asks: Does the usual find loop split a list into its fields, empty ones too?
#include <string>
#include <vector>

void observe(long long value);

static std::vector<std::string> split(const std::string& s, char sep) {
    std::vector<std::string> out;
    std::size_t start = 0, end;
    while ((end = s.find(sep, start)) != std::string::npos) {
        out.push_back(s.substr(start, end - start));
        start = end + 1;
    }
    out.push_back(s.substr(start));
    return out;
}
int main() {
    auto fields = split("12,,7,abc,305", ',');
    observe(static_cast<long long>(fields.size()));
    observe(static_cast<long long>(fields[1].size() * 10 + fields[3].size()));
    observe(std::stoi(fields[0]) + std::stoi(fields[4]));
    observe(static_cast<long long>(split("x", ',').size()) + 8);
}
