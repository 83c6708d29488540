// what it asks: Does drawing random numbers leave everything else as it was?
#include <random>
#include <vector>

void observe(long long value);

struct Dice {
    std::mt19937 engine;
    std::uniform_int_distribution<int> face{1, 6};
    int rolls = 0;
    explicit Dice(unsigned seed) : engine(seed) {}
    int roll() {
        ++rolls;
        return face(engine);
    }
};

int main() {
    Dice dice(42);
    std::vector<int> seen;
    int kept = 17;
    for (int i = 0; i < 4; ++i) seen.push_back(dice.roll());
    observe(dice.rolls);
    observe(static_cast<long long>(seen.size()));
    observe(kept);
    std::normal_distribution<double> bell(0.0, 1.0);
    std::mt19937_64 wide;
    wide.seed(7);
    wide.discard(3);
    double height = bell(wide);
    observe(height == height ? 1 : 0);
    observe(seen[0] >= 1 && seen[0] <= 6);
    observe(kept + static_cast<int>(seen.size()));
}
