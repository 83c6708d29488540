// what it asks: Do get, peek, ignore, tellg and seekg move through the stream as they say?
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::istringstream in("a1,b22;c333");
    char first = static_cast<char>(in.get());
    observe(first - 'a' + 5);
    observe(in.peek() - '0' + 40);
    in.ignore(100, ',');
    observe(static_cast<long long>(in.tellg()));
    std::string field;
    std::getline(in, field, ';');
    observe(static_cast<long long>(field.size()));
    in.seekg(-3, std::ios::end);
    int n = 0;
    in >> n;
    observe(n);
}
