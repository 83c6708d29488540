// what it asks: Does map's operator[] insert a zero for a new key while find and count do not?
#include <map>
#include <string>

void observe(long long value);

int main() {
    std::map<std::string, int> calls;
    for (const char* name : {"copy", "scan", "copy", "sort", "copy"}) ++calls[name];
    observe(calls["copy"]);
    observe(static_cast<long long>(calls.size()));
    observe(calls.find("reduce") == calls.end() ? 21 : 22);
    observe(static_cast<long long>(calls.size() + calls.count("fill")));
    calls["reduce"] += 5;
    observe(static_cast<long long>(calls.size()) * 10 + calls.at("reduce"));
}
