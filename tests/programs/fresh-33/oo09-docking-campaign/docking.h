#pragma once
#include <cstdint>
#include <vector>
#include "lanes.h"

namespace screen {

enum class Tier : int { Fragment = 0, Lead = 1, Macrocycle = 2 };
constexpr int kTiers = 3;

struct Ligand {
  int id;
  Tier tier;
  int atoms;
};

struct Receptor {
  int pockets = 32;
  std::vector<int> potential;
};

// Device-side record of one docking job.
struct JobRecord {
  unsigned long long beginNs;
  unsigned long long endNs;
  int score;
};

// Scores ligands against one receptor; jobs are queued and read back in bulk.
class DockingEngine {
 public:
  DockingEngine(const Receptor& receptor, int capacity);
  ~DockingEngine();
  DockingEngine(const DockingEngine&) = delete;

  void dock(const Ligand& ligand, cudaStream_t stream);
  std::vector<JobRecord> records() const;
  static int referenceScore(const Receptor& receptor, const Ligand& ligand);

 private:
  int capacity_;
  int pockets_;
  int* potential_ = nullptr;
  JobRecord* records_ = nullptr;
};

}  // namespace screen
