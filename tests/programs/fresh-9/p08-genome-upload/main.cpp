#include "counter.h"

// Counts k-mers of reads that arrive in batches and compares them with a host count.

namespace {

class ReadSource {
  public:
    explicit ReadSource(std::size_t bases) : bases_(bases) {}
    std::string next() {
        static const char alphabet[] = "ACGTACCGGGTTTTAC";
        std::string s(bases_, 'A');
        for (char& c : s) {
            state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
            c = alphabet[(state_ >> 60) & (15u >> (batch_ % 3))];
        }
        ++batch_;
        return s;
    }

  private:
    std::size_t bases_;
    unsigned long long state_ = 99;
    int batch_ = 0;
};

void count_on_host(const std::string& s, std::uint32_t* counts) {
    for (std::size_t i = 0; i + kmer::kK <= s.size(); ++i) {
        std::uint32_t word = 0;
        for (int k = 0; k < kmer::kK; ++k) word = word << 2 | kmer::code_of(s[i + k]);
        counts[word] += 1;
    }
}

}  // namespace

int main() {
    kmer::Settings settings;
    constexpr int batches = 10;

    ReadSource source(settings.bases_per_batch);
    std::vector<std::string> reads;
    for (int b = 0; b < batches; ++b) reads.push_back(source.next());

    kmer::Counter counter(settings);
    for (const std::string& r : reads) counter.submit(r);
    const std::vector<std::uint32_t> got = counter.finish();

    std::vector<std::uint32_t> want(got.size(), 0);
    for (int b = 0; b < counter.batches(); ++b) count_on_host(reads[b], want.data() + std::size_t(b) * kmer::kKmers);

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::puts("DONE");
    return wrong ? 1 : 0;
}
