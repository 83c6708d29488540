// what it asks: Does reading lines and then fields of a table through streams add up its columns?
#include <map>
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::istringstream table("copy,3,100\nscan,1,40\ncopy,2,60\n\nscan,5,7\n");
    std::map<std::string, int> bytes;
    std::string line;
    int rows = 0;
    while (std::getline(table, line)) {
        if (line.empty()) continue;
        std::istringstream row(line);
        std::string name, count, size;
        std::getline(row, name, ',');
        std::getline(row, count, ',');
        std::getline(row, size);
        bytes[name] += std::stoi(count) * std::stoi(size);
        ++rows;
    }
    observe(rows);
    observe(bytes["copy"]);
    observe(bytes["scan"]);
}
