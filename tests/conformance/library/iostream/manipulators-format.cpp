// what it asks: Do setw, setfill, hex, fixed and setprecision change what is written?
#include <iomanip>
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::ostringstream out;
    out << std::setw(5) << 42 << '|' << std::setfill('0') << std::setw(4) << 7;
    observe(static_cast<long long>(out.str().find('|')));
    observe(out.str() == "   42|0007" ? 71 : 72);
    std::ostringstream hex;
    hex << std::hex << 255 << std::dec << 10 << std::boolalpha << false;
    observe(hex.str() == "ff10false" ? 81 : 82);
    std::ostringstream real;
    real << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::setprecision(0) << 8.75;
    observe(static_cast<long long>(real.str().size()));
    observe(static_cast<long long>(std::stod(real.str()) * 100));
}
