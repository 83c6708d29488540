// Virtual screening campaign: docks a ligand library against one receptor and
// reports the steady-state throughput that capacity planning works with.
#include <algorithm>
#include <cstdio>

#include "docking.h"

namespace screen {

struct CampaignConfig {
  int ligandsPerTier = 4;
  int warmRuns = 1;
  double tolerance = 1.5;
};

struct Report {
  double milliseconds = 0;
  double ligandsPerSecond = 0;
};

class Campaign {
 public:
  explicit Campaign(const CampaignConfig& config)
      : config_(config),
        receptor_(makeReceptor()),
        library_(makeLibrary(config.ligandsPerTier)),
        lanes_(kTiers),
        engine_(receptor_, int(library_.size())) {}

  Report measure() {
    for (int w = 0; w < config_.warmRuns; ++w) {
      submitLibrary();
      lanes_.drain();
    }

    watch_.start(lanes_.primary());
    submitLibrary();
    watch_.stop(lanes_.primary());
    lanes_.drain();

    Report r;
    r.milliseconds = watch_.milliseconds();
    r.ligandsPerSecond = 1e3 * double(library_.size()) / r.milliseconds;
    return r;
  }

  int wrongScores(const std::vector<JobRecord>& jobs) const {
    int wrong = 0;
    for (const Ligand& l : library_) wrong += jobs[l.id].score != DockingEngine::referenceScore(receptor_, l);
    return wrong;
  }

  std::vector<JobRecord> jobs() const { return engine_.records(); }

 private:
  static Receptor makeReceptor() {
    Receptor r;
    for (int p = 0; p < r.pockets; ++p) r.potential.push_back((p * 53) % 101);
    return r;
  }

  static std::vector<Ligand> makeLibrary(int perTier) {
    std::vector<Ligand> lib;
    for (int i = 0; i < perTier * kTiers; ++i) lib.push_back({i, static_cast<Tier>(i % kTiers), 12 + 5 * i});
    return lib;
  }

  // Ligands of one tier share a lane.
  void submitLibrary() {
    for (const Ligand& l : library_) engine_.dock(l, lanes_.lane(static_cast<int>(l.tier)));
  }

  CampaignConfig config_;
  Receptor receptor_;
  std::vector<Ligand> library_;
  LanePool lanes_;
  DockingEngine engine_;
  Stopwatch watch_;
};

// Wall time of the campaign according to the records of the jobs themselves.
double ledgerMilliseconds(const std::vector<JobRecord>& jobs) {
  unsigned long long first = ~0ull, last = 0;
  for (const JobRecord& j : jobs) {
    first = std::min(first, j.beginNs);
    last = std::max(last, j.endNs);
  }
  return double(last - first) * 1e-6;
}

}  // namespace screen

int main() {
  screen::CampaignConfig config;
  screen::Campaign campaign(config);
  const screen::Report report = campaign.measure();
  const std::vector<screen::JobRecord> jobs = campaign.jobs();
  const double ledger = screen::ledgerMilliseconds(jobs);
  std::fprintf(stderr, "[screen] %.2f ms, %.1f ligands/s, ledger %.2f ms\n", report.milliseconds,
               report.ligandsPerSecond, ledger);

  const int wrong = campaign.wrongScores(jobs);
  const double ratio = std::max(report.milliseconds / ledger, ledger / report.milliseconds);
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else if (ratio > config.tolerance)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return wrong || ratio > config.tolerance;
}
