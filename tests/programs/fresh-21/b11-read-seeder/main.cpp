#include <cstdio>
#include "report.h"

namespace {

std::vector<std::uint8_t> sequence_batch(const RunLimits& limits, int batch) {
    std::vector<std::uint8_t> bases(static_cast<std::size_t>(limits.reads_per_batch) * limits.read_length);
    std::uint32_t state = 88172645u + 104729u * static_cast<std::uint32_t>(batch);
    for (std::uint8_t& base : bases) {
        state = state * 1103515245u + 12345u;
        base = static_cast<std::uint8_t>((state >> 20) & 3u);
    }
    return bases;
}

std::string expected_text(const RunLimits& limits) {
    std::ostringstream body, out;
    unsigned long long seeds = 0;
    for (int batch = 0; batch < limits.batches; ++batch) {
        const std::vector<std::uint8_t> bases = sequence_batch(limits, batch);
        long long digest = 0;
        int richest = 0;
        int most = -1;
        for (int read = 0; read < limits.reads_per_batch; ++read) {
            const int found = count_seeds(bases.data() + static_cast<std::size_t>(read) * limits.read_length,
                                          limits.read_length);
            seeds += found;
            digest += static_cast<long long>(found) * (read % 7 + 1);
            if (found > most) most = found, richest = read;
        }
        body << "batch " << batch << " digest " << digest << " richest " << richest << "\n";
    }
    out << "batches " << limits.batches << " seeds " << seeds << "\n" << body.str();
    return out.str();
}

}  // namespace

int main() {
    const RunLimits limits;
    BoundedQueue<BatchView> queue(limits.queue_depth);
    Seeder seeder(limits, [&queue](const BatchView& view) { queue.push(view); });

    std::promise<Header> header;
    ReportWriter writer(queue, limits.batches, header.get_future());

    for (int batch = 0; batch < limits.batches; ++batch) {
        seeder.submit(batch, sequence_batch(limits, batch));
    }
    header.set_value({limits.batches, seeder.finish()});

    const std::string text = writer.text(), expected = expected_text(limits);
    if (text != expected) {
        int differing = 0;
        std::istringstream left(text), right(expected);
        for (std::string a, b; std::getline(right, b);) {
            std::getline(left, a);
            differing += a != b;
        }
        std::printf("WRONG %d\n", differing);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
