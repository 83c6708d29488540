// SELECT key % 64, SUM(value) FROM clicks WHERE value > 100 GROUP BY 1, morsel by morsel.
#include "engine.h"
#include <chrono>

using namespace etl;

namespace {

class ClickTable {
public:
    ClickTable(int morsels, int rows) : rows_(rows) {
        std::vector<int> k(rows), v(rows);
        for (int m = 0; m < morsels; ++m) {
            std::vector<unsigned long long> sums(kGroups, 0);
            for (int i = 0; i < rows; ++i) {
                k[i] = i * 13 + m;
                v[i] = (i * 31 + m * 17) % 1000;
                if (v[i] > 100) sums[k[i] & (kGroups - 1)] += v[i];
            }
            morsels_.push_back(Morsel{column(k), column(v), rows, results()});
            want_.push_back(sums);
        }
    }
    ~ClickTable() {
        for (void* p : owned_) cudaFree(p);
    }
    ClickTable(const ClickTable&) = delete;
    ClickTable& operator=(const ClickTable&) = delete;

    const std::vector<Morsel>& morsels() const { return morsels_; }

    long mismatches() const {
        long bad = 0;
        unsigned long long got[kGroups];
        for (std::size_t m = 0; m < morsels_.size(); ++m) {
            ETL_OK(cudaMemcpy(got, morsels_[m].result, sizeof(got), cudaMemcpyDeviceToHost));
            for (int g = 0; g < kGroups; ++g) bad += got[g] != want_[m][g];
        }
        return bad;
    }

private:
    void* own(std::size_t bytes) {
        void* p = nullptr;
        ETL_OK(cudaMalloc(&p, bytes));
        owned_.push_back(p);
        return p;
    }
    const int* column(const std::vector<int>& data) {
        void* p = own(data.size() * sizeof(int));
        ETL_OK(cudaMemcpy(p, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice));
        return static_cast<const int*>(p);
    }
    unsigned long long* results() { return static_cast<unsigned long long*>(own(kGroups * sizeof(unsigned long long))); }

    int rows_;
    std::vector<Morsel> morsels_;
    std::vector<void*> owned_;
    std::vector<std::vector<unsigned long long>> want_;
};

template <class F>
double millis(F&& f) {
    const auto t0 = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main() {
    ClickTable clicks(12, 1 << 16);
    Engine engine(EngineConfig{}, PlanBuilder().then<ClearResult>().then<HashAggregate>().build());

    engine.execute(clicks.morsels());
    const std::vector<Morsel> one(clicks.morsels().begin(), clicks.morsels().begin() + 1);
    const double single = millis([&] { engine.execute(one); });
    const double all = millis([&] { engine.execute(clicks.morsels()); });

    const double rounds = static_cast<double>(clicks.morsels().size()) / engine.lanes();
    const double ratio = all / (single * rounds);
    std::printf("one morsel %.1f ms, query %.1f ms\n", single, all);
    const long bad = clicks.mismatches();
    if (bad) std::printf("WRONG %ld\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
