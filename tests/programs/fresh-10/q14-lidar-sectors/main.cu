#include <chrono>
#include <memory>
#include <vector>
#include "sector.cuh"

using Clock = std::chrono::steady_clock;

static double revolve(const std::vector<lidar::Task*>& tasks, int revolutions) {
    const auto begin = Clock::now();
    for (int r = 0; r < revolutions; ++r)
        for (lidar::Task* task : tasks) task->enqueue(r);
    for (lidar::Task* task : tasks) task->wait();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

int main() {
    constexpr int kSectors = 4, kRevolutions = 5;
    int wrong = 0;
    double ratio = 0.0;
    {
        lidar::Heartbeat heartbeat;
        std::vector<std::unique_ptr<lidar::Sector>> sectors;
        std::vector<lidar::Task*> all;
        for (int s = 0; s < kSectors; ++s) {
            sectors.push_back(std::make_unique<lidar::Sector>(s));
            all.push_back(sectors.back().get());
            all.push_back(&heartbeat);
        }
        revolve(all, 1);
        const double alone = revolve({sectors.front().get()}, kRevolutions);
        const double together = revolve(all, kRevolutions);
        ratio = together / alone;

        for (const auto& sector : sectors) wrong += sector->mistakes(kRevolutions - 1);
        if (heartbeat.beats() != kSectors * (1 + kRevolutions)) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
