// what it asks: Does at throw for a missing key and emplace keep the first value?
#include <stdexcept>
#include <string>
#include <unordered_map>

void observe(long long value);

int main() {
    std::unordered_map<std::string, int> sizes{{"half", 2}, {"float", 4}};
    auto result = sizes.emplace("float", 40);
    observe(result.first->second * 10 + (result.second ? 1 : 3));
    int code = 0;
    try {
        code = sizes.at("half");
        code += sizes.at("double");
    } catch (const std::out_of_range&) {
        code += 500;
    }
    observe(code);
    sizes["double"];
    sizes.at("double") += 8;
    observe(sizes["double"] + static_cast<long long>(sizes.size()) * 100);
}
