// what it asks: Does an ostringstream collect numbers, text and characters, and restart with str?
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::ostringstream out;
    out << "n=" << 42 << ',' << 2.5 << ' ' << 'c' << true;
    observe(static_cast<long long>(out.str().size()));
    observe(out.str() == "n=42,2.5 c1" ? 31 : 32);
    std::string copy = out.str();
    out << "tail";
    observe(static_cast<long long>(copy.size() * 100 + out.str().size()));
    out.str("");
    out << 7 << 8;
    observe(std::stoi(out.str()));
}
