// what it asks: How long is a text that is kept, copied, moved into members and handed on, and what do the C comparisons look at?
#include <cstring>
#include <string>
#include <strings.h>
#include <utility>
#include <vector>

void observe(long long value);

struct Named {
    std::string name;
    int count = 0;
};

Named named(std::string name) { return {std::move(name), 1}; }

int alike(const char* one, const char* other, unsigned limit) { return std::strncmp(one, other, limit) == 0; }

int main(int count, char**) {
    std::string two = "ab";
    observe(two.size());
    observe(two.empty());
    observe(std::strlen(two.c_str()));
    std::string copy = two;
    copy += "cd";
    observe(copy.length());
    Named first{two, 1};
    observe(first.name.length());
    Named second = first;
    second.name = "";
    observe(second.name.size());
    observe(second.name.empty());
    observe(first.name.size());
    observe(named("abc").name.size());
    std::vector<Named> all;
    all.push_back({two, 1});
    all.push_back(named("abcd"));
    long long sum = 0;
    for (const auto& it : all) sum += it.name.size();
    observe(sum);
    observe(std::strlen("a\n") == 2);
    observe(std::strncmp("abc", "abd", 2) == 0);
    observe(std::strncmp("abc", "abd", 3) == 0);
    observe(strcasecmp("ABC", "abc") == 0);
    observe(strncasecmp("ABd", "abc", 2) == 0);
    observe(std::strcmp("ABC", "abc") == 0);
    observe(alike("abc", "abd", count + 1));
    observe(alike("abc", "abc", count + 1));
    return 0;
}
