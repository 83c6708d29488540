// std: c++17
// what it asks: Do iterators of a map come to its entries in the order of the keys, however these were put in?
#include <functional>
#include <iterator>
#include <map>
#include <string>

void observe(long long value);

int main() {
    std::map<int, int> numbers;
    for (int key : {9, 10, -2}) numbers[key] = key * 3;
    observe(numbers.begin()->second);
    observe(std::next(numbers.begin())->first);
    long long sum = 0;
    for (auto it = numbers.begin(); it != numbers.end(); ++it) sum = sum * 100 + it->first;
    observe(sum);
    numbers.erase(-2);
    observe(numbers.begin()->second);
    std::map<std::string, int> words{{"ab", 1}, {"aB", 2}, {"a", 3}};
    observe(words.begin()->second);
    observe(std::next(words.begin(), 1)->second);
    observe(std::next(words.begin(), 2)->second);
    std::map<int, int, std::greater<int>> backwards;
    backwards[1] = 10;
    backwards[2] = 20;
    observe(backwards.begin()->second);
    auto last = std::prev(words.end());
    observe(last->second);
}
