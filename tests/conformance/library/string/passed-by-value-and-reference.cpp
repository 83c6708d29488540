// what it asks: Does a function change the caller's string only through a reference?
#include <string>

void observe(long long value);

static std::size_t pad(std::string s) {
    s.insert(s.begin(), 8 - s.size(), '0');
    return s.find_first_not_of('0');
}
static void pad_in_place(std::string& s) {
    while (s.size() < 8) s = "0" + s;
}
int main() {
    std::string id = "731";
    observe(static_cast<long long>(pad(id)));
    observe(static_cast<long long>(id.size()));
    pad_in_place(id);
    observe(static_cast<long long>(id.size()));
    observe(id[4] - '0' + std::stoi(id));
}
