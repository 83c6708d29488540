#include <deque>
#include <map>

#include "service.cuh"

using digest::Blob;
using digest::Service;

namespace {

std::vector<uint8_t> synthesise(unsigned seed, size_t n) {
    std::vector<uint8_t> v(n);
    unsigned s = seed * 2654435761u + 17u;
    for (auto& b : v) {
        s = s * 1664525u + 1013904223u;
        b = static_cast<uint8_t>(s >> 24);
    }
    return v;
}

uint64_t reference(const std::vector<uint8_t>& v) {
    uint64_t t = 0;
    for (size_t i = 0; i < v.size(); ++i) t += uint64_t(v[i]) * ((i & 1023u) + 1u);
    return t;
}

// Documents waiting for their digest, oldest first.
class Docket {
public:
    void add(Blob b) { waiting_.push_back(std::move(b)); }
    bool empty() const { return waiting_.empty(); }
    Blob next() {
        Blob b = std::move(waiting_.front());
        waiting_.pop_front();
        return b;
    }

private:
    std::deque<Blob> waiting_;
};

}  // namespace

int main() {
    OK(cudaSetDevice(0));

    Docket docket;
    std::map<std::string, uint64_t> expected, answers;
    for (unsigned i = 0; i < 6; ++i) {
        const auto bytes = synthesise(i + 1, (4u << 20) + i * 4096u);
        const std::string name = "doc-" + std::to_string(i);
        expected[name] = reference(bytes);
        docket.add(Blob(name, bytes));
    }

    std::vector<Blob> archive;
    {
        Service service;
        while (!docket.empty()) {
            archive.push_back(docket.next());
            const Blob& current = archive.back();
            answers[current.name()] = service.ask(current);
        }
        service.shutdown();
    }
    archive.clear();

    int wrong = 0;
    for (const auto& [name, value] : expected)
        if (answers[name] != value) ++wrong;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return wrong != 0;
}
