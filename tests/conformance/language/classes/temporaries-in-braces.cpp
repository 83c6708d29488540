// what it asks: What do temporaries hold that are made of braces in braces, wherever they go?
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>
void observe(long long value);

struct Piece {
    long bytes;
    std::vector<int> after;
};
struct Three {
    Piece first;
    int counts[3];
    std::pair<int, long> ends;
};

static long sum(const Piece& it) {
    long total = it.bytes;
    for (int one : it.after) total += one;
    return total;
}
static long taken(Piece it) { return sum(it); }

int main() {
    observe(taken(Piece{100, {1, 2, 3}}));
    observe(taken({200, {4}}));
    observe(sum(Piece{300, std::vector<int>(3, 7)}));
    std::map<int, Piece> pieces;
    pieces.emplace(1, Piece{10, {5, 6}});
    pieces.insert({2, Piece{20, {}}});
    pieces[3] = Piece{30, {7}};
    for (const auto& it : pieces) observe(sum(it.second));
    std::vector<Piece> list;
    list.push_back(Piece{1, {2}});
    list.emplace_back(Piece{3, {4, 5}});
    Piece moved = std::move(list[1]);
    observe(sum(moved));
    observe(sum(list[0]));
    auto owned = std::make_unique<Piece>(Piece{7, {8, 9}});
    observe(sum(*owned));
    Piece* made = new Piece{11, {12}};
    observe(sum(*made));
    delete made;
    Three three = Three{{1, {2, 3}}, {4, 5}, {6, 7}};
    observe(sum(three.first));
    observe(three.counts[0] + three.counts[1] * 10 + three.counts[2] * 100);
    observe(three.ends.first * 10 + three.ends.second);
    Piece copy = Piece{three.first};
    observe(sum(copy));
    int* plain = new int{5};
    observe(*plain);
    int* array = new int[3]{1, 2};
    observe(array[0] + array[1] + array[2]);
    delete plain;
    delete[] array;
    observe(std::vector<int>{3, 4}.size() + std::vector<int>(3, 4).size());
    observe((std::array<int, 2>{8, 9})[1]);
}
