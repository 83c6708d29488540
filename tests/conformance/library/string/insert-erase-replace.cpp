// what it asks: Do insert, erase and replace edit the middle of a string?
#include <string>

void observe(long long value);

int main() {
    std::string s = "kernel<float>";
    s.replace(s.find("float"), 5, "int");
    observe(static_cast<long long>(s.size()));
    s.insert(0, "my_");
    observe(static_cast<long long>(s.find('<')));
    s.erase(s.find('<'));
    observe(static_cast<long long>(s.size()));
    s.erase(2, 1).erase(s.begin());
    observe(s == "ykernel" ? 81 : 82);
}
