// what it asks: Does an unordered_map tally, look up and erase by key?
#include <string>
#include <unordered_map>

void observe(long long value);

int main() {
    std::unordered_map<char, int> tally;
    for (char c : std::string("mississippi")) ++tally[c];
    observe(tally['s'] * 10 + tally['p']);
    observe(static_cast<long long>(tally.size()));
    observe(static_cast<long long>(tally.erase('i') + tally.erase('z')) + 20);
    observe(tally.find('i') == tally.end() ? 61 : 62);
    int rest = 0;
    for (const auto& entry : tally) rest += entry.second;
    observe(rest);
}
