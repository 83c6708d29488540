// what it asks: Does a failed read set the state, store zero and let clear go on?
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::istringstream in("7 abc 9");
    int n = -1;
    in >> n;
    observe(n);
    n = 55;
    in >> n;
    observe(n + (in.fail() ? 200 : 100));
    int kept = 4;
    in >> kept;
    observe(kept);
    in.clear();
    std::string word;
    in >> word >> n;
    observe(static_cast<long long>(word.size()) * 10 + n);
    observe(in.eof() ? 12 : 13);
}
