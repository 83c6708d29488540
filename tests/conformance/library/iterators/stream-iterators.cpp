// what it asks: Do istream_iterator and ostream_iterator read and write number by number?
#include <iterator>
#include <numeric>
#include <sstream>
#include <vector>

void observe(long long value);

int main() {
    std::istringstream in("5 10 15 x 20");
    std::vector<int> v{std::istream_iterator<int>(in), std::istream_iterator<int>()};
    observe(static_cast<long long>(v.size()));
    observe(std::accumulate(v.begin(), v.end(), 0));
    std::ostringstream out;
    std::copy(v.begin(), v.end(), std::ostream_iterator<int>(out, ","));
    observe(static_cast<long long>(out.str().size()));
    observe(out.str() == "5,10,15," ? 3 : 4);
}
