#include <chrono>
#include <cstdio>
#include <memory>

#include "lane.cuh"

namespace {

using Clock = std::chrono::steady_clock;

double millisSince(Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

int arrivalOf(int shot, int receiver, int samples) { return (shot * 37 + receiver * 11 + 5) % samples; }

class ShotProcessor {
public:
    explicit ShotProcessor(const seis::Survey& survey) : survey_(survey), arena_(seis::ArenaPolicy{}) {
        for (int l = 0; l < survey.lanes; ++l) {
            lanes_.push_back(std::make_unique<seis::Lane>(survey_, arena_, status_));
            fill(l, l);
        }
        for (int s = 0; s < survey.shots; ++s) picks_.push_back(arena_.make<seis::Pick>(survey.receivers));
    }

    double oneShot() {
        const auto t0 = Clock::now();
        lanes_[0]->start(0, picks_[0]);
        lanes_[0]->finish();
        return millisSince(t0);
    }

    double wholeSurvey() {
        const auto t0 = Clock::now();
        for (int first = 0; first < survey_.shots; first += survey_.lanes) {
            for (int l = 0; l < survey_.lanes; ++l) lanes_[l]->start(first + l, picks_[first + l]);
            for (auto& lane : lanes_) lane->finish();
        }
        return millisSince(t0);
    }

    int wrongPicks() const {
        int wrong = 0;
        for (int s = 0; s < survey_.shots; ++s)
            for (int r = 0; r < survey_.receivers; ++r)
                wrong += picks_[s][r].sample != arrivalOf(s % survey_.lanes, r, survey_.samples);
        return wrong;
    }

    const seis::CudaStatus& status() const { return status_; }

private:
    using Survey = seis::Survey;
    void fill(int lane, int shot) {
        float* t = lanes_[lane]->traces();
        for (int r = 0; r < survey_.receivers; ++r)
            for (int s = 0; s < survey_.samples; ++s)
                t[r * survey_.samples + s] = s == arrivalOf(shot, r, survey_.samples) ? 2.0f : 0.001f * (s % 97);
    }

    Survey survey_;
    seis::CudaStatus status_;
    seis::HostArena arena_;
    std::vector<std::unique_ptr<seis::Lane>> lanes_;
    std::vector<seis::Pick*> picks_;
};

}  // namespace

int run() {
    const seis::Survey survey;
    ShotProcessor processor(survey);
    processor.wholeSurvey();
    const double single = processor.oneShot();
    const double all = processor.wholeSurvey();
    const double ratio = all / (single * survey.shots / survey.lanes);
    const int wrong = processor.status().ok() ? processor.wrongPicks() : 0;
    if (!processor.status().ok())
        std::printf("ERROR %s\n", processor.status().name());
    else if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}

int main() {
    try {
        return run();
    } catch (const std::bad_alloc&) {
        std::printf("ERROR %s\n", cudaGetErrorName(cudaErrorMemoryAllocation));
        return 2;
    }
}
