// what it asks: Does writing to a copy leave the original vector as it was?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> host(4, 2);
    std::vector<int> reference = host;
    for (std::size_t i = 0; i < host.size(); ++i) host[i] *= 10;
    reference.push_back(7);
    observe(reference[3]);
    observe(host[3]);
    observe(static_cast<long long>(host.size()));
    observe(static_cast<long long>(reference.size()));
}
