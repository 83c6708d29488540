// what it asks: Buckets by device and stream are filled through subscripts.
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

void observe(long long value);

struct Job {
    int bytes;
    int lane;
};

int main() {
    std::map<int, std::map<int, std::vector<Job>>> plan;
    plan[0][1].push_back({10, 1});
    plan[0][1].push_back({20, 1});
    plan[0][2].push_back({30, 2});
    plan[1][1].push_back({40, 1});
    observe(plan.size());
    observe(plan[0].size());
    observe(plan[0][1].size());
    observe(plan[0][1][1].bytes);
    int total = 0, lanes = 0;
    for (const auto& [device, streams] : plan) {
        for (const auto& [lane, jobs] : streams) {
            lanes = lanes * 10 + lane;
            for (const auto& job : jobs) total += job.bytes * (device + 1);
        }
    }
    observe(total);
    observe(lanes);
    std::unordered_map<std::string, std::vector<int>> groups;
    for (int i = 0; i < 5; ++i) groups[i % 2 ? "odd" : "even"].push_back(i);
    observe(groups["odd"].size() * 10 + groups["even"].size());
    observe(groups.at("even").back());
}
