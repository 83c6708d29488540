// what it asks: Is a member that a constructor names what a variable made in the same way would be?
#include <array>
#include <map>
#include <memory>
#include <vector>

void observe(long long value);

struct Counted {
    int value;
    explicit Counted(int v) : value(v) {}
};

struct Plain {
    int first = 1;
    int second = 2;
};

static int ended = 0;

struct Ending {
    ~Ending() { ++ended; }
};

struct Row {
    Ending ends[2];
    Row() {}
};

struct Parts {
    int count;
    int doubled = count * 2;
    std::array<std::unique_ptr<Counted>, 2> owners;
    std::array<int, 3> numbers;
    std::unique_ptr<Counted> held[2];
    std::vector<int> list;
    std::vector<int> many;
    std::vector<int> copied;
    std::vector<std::unique_ptr<Counted>> slots;
    std::map<int, int> table;
    Plain plain;
    int row[4];
    const int& seen;

    explicit Parts(int n)
        : count(n),
          owners{std::make_unique<Counted>(n), std::make_unique<Counted>(n + 1)},
          numbers{{7, 8, 9}},
          held{std::make_unique<Counted>(20), std::make_unique<Counted>(21)},
          list{n, 5},
          many(n, 6),
          copied{many},
          slots{3},
          table{{1, 10}, {2, 20}},
          plain{40},
          row{},
          seen{count} {}
};

int main() {
    Parts it(4);
    observe(it.doubled);
    observe(it.owners[0]->value);
    observe(it.owners[1]->value);
    observe(it.numbers[2]);
    observe(it.held[1]->value);
    observe(static_cast<long long>(it.list.size()));
    observe(it.list[0]);
    observe(static_cast<long long>(it.many.size()));
    observe(it.many[3]);
    observe(static_cast<long long>(it.copied.size()));
    observe(static_cast<long long>(it.slots.size()));
    observe(it.slots[2] == nullptr);
    observe(it.table[2]);
    observe(it.plain.first);
    observe(it.plain.second);
    observe(it.row[3]);
    it.count = 11;
    observe(it.seen);
    {
        Row row;
        observe(ended);
    }
    observe(ended);
}
