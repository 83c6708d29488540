// what it asks: Does a while loop of >> read all numbers once?
#include <sstream>
#include <string>
#include <vector>

void observe(long long value);

int main() {
    std::stringstream io;
    for (int i = 1; i <= 6; ++i) io << i * 11 << (i % 2 ? " " : "\n");
    std::vector<int> v;
    for (int x; io >> x;) v.push_back(x);
    observe(static_cast<long long>(v.size()));
    observe(v.back());
    io.clear();
    io << "5 edges";
    int n = 0;
    std::string w;
    io >> n >> w;
    observe(n * 10 + static_cast<int>(w.size()));
}
