// what it asks: Do constants derived from one another give array bounds and checks consistently?
void observe(long long value);

constexpr int kWarp = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kWarp * kWarps;
constexpr int kTile = kThreads / 16 + 1;
static_assert(kThreads % kWarp == 0, "whole warps");
enum { kPadding = kTile % 4 ? 4 - kTile % 4 : 0 };
static const int kRow = kTile + kPadding;

int main() {
    int tile[kRow][2] = {};
    int used = 0;
    for (auto& row : tile) {
        row[0] = used++;
    }
    observe(kThreads);
    observe(kTile);
    observe(used);
    observe(tile[kRow - 1][0] + kPadding * 100);
}
