// what it asks: Does splice move nodes from one list to another without copying?
#include <iterator>
#include <list>

void observe(long long value);

int main() {
    std::list<int> ready{1, 2};
    std::list<int> waiting{30, 40, 50, 60};
    int* forty = &*std::next(waiting.begin());
    ready.splice(std::next(ready.begin()), waiting, std::next(waiting.begin()), std::prev(waiting.end()));
    *forty = 41;
    observe(static_cast<long long>(ready.size() * 10 + waiting.size()));
    observe(*std::next(ready.begin()));
    observe(waiting.front() + waiting.back());
    ready.splice(ready.end(), waiting);
    observe(static_cast<long long>(ready.size() * 10 + waiting.size()));
}
