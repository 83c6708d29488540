// what it asks: Does getline over a string stream give the lines without their ends?
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::istringstream in("n 4\nedges\n\nlast");
    std::string line;
    int lines = 0, letters = 0, empty = 0;
    while (std::getline(in, line)) {
        ++lines;
        letters += static_cast<int>(line.size());
        if (line.empty()) ++empty;
    }
    observe(lines);
    observe(letters);
    observe(empty + 50);
    observe(line == "last" ? 4 : 5);
}
