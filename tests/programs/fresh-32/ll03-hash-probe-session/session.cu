#include <algorithm>
#include <optional>

#include "probe.cuh"

namespace db {

std::vector<Entry> build_table(std::uint32_t rows, std::uint32_t slots) {
    std::vector<Entry> t(slots, Entry{kAbsent, kAbsent});
    for (std::uint32_t r = 0; r < rows; ++r) {
        const std::uint32_t key = r * 3 + 1;
        std::uint32_t h = key * 2654435761u & (slots - 1);
        while (t[h].key != kAbsent) h = (h + 1) & (slots - 1);
        t[h] = Entry{key, r};
    }
    return t;
}

class Session {
public:
    explicit Session(const std::vector<Entry>& table) : index_(table) {
        probe_.start(index_.data(), std::uint32_t(index_.size() - 1));
    }

    std::optional<std::vector<std::uint32_t>> join(const std::vector<std::uint32_t>& keys) {
        std::vector<std::uint32_t> rows(keys.size());
        for (std::size_t at = 0; at < keys.size(); at += kBatch) {
            const int n = int(std::min<std::size_t>(kBatch, keys.size() - at));
            if (probe_.lookup(keys.data() + at, n, rows.data() + at) != ProbeError::none)
                return std::nullopt;
        }
        return rows;
    }

private:
    ProbeService probe_;
    DeviceVec<Entry> index_;
};

}  // namespace db

int main() {
    constexpr std::uint32_t kRows = 20000, kSlots = 1u << 16;
    std::vector<std::uint32_t> keys(3000);
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i * 11;

    std::optional<std::vector<std::uint32_t>> rows;
    {
        db::Session session(db::build_table(kRows, kSlots));
        rows = session.join(keys);
    }
    int bad = rows ? 0 : int(keys.size());
    for (std::size_t i = 0; rows && i < keys.size(); ++i) {
        const std::uint32_t k = keys[i];
        const std::uint32_t want = (k % 3 == 1 && k / 3 < kRows) ? k / 3 : db::kAbsent;
        bad += (*rows)[i] != want;
    }
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}
