// what it asks: Are braces as a default argument what the parameter is made of, members with initialisers of their own included?
#include <vector>

void observe(long long value);

struct Limits {
    int most = 40;
    int least = 3;
};

class Line {
public:
    explicit Line(Limits limits = {}) : limits_(limits) {}
    int span() const { return limits_.most - limits_.least; }
    const Limits &limits() const { return limits_; }

private:
    Limits limits_;
};

static int both(const Limits &limits = {7, 2}) {
    return limits.most * 100 + limits.least;
}

static int sum(std::vector<int> parts = {4, 5, 6}, int more = 1) {
    int all = more;
    for (int it : parts) {
        all += it;
    }
    return all;
}

int main() {
    Line line;
    observe(line.span());
    observe(line.limits().most);
    observe(Line({50, 20}).span());
    observe(both());
    observe(both({}));
    observe(sum());
    observe(sum({}, 9));
}
