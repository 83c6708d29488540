// what it asks: Do find and substr cut a key=value line in two?
#include <string>

void observe(long long value);

int main() {
    std::string line = "blocks=128;threads=64";
    std::size_t eq = line.find('=');
    std::size_t semi = line.find(';', eq);
    std::string value = line.substr(eq + 1, semi - eq - 1);
    observe(static_cast<long long>(eq * 100 + semi));
    observe(std::stoi(value));
    observe(std::stoi(line.substr(line.rfind('=') + 1)));
    observe(line.find("grid") == std::string::npos ? 17 : 18);
}
