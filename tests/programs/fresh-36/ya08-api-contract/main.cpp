#include "contract.h"

int main() {
  int misses = 0;
  for (contract::Case* c = contract::Case::head(); c != nullptr; c = c->next) {
    c->function(*c);
    if (c->fatal != cudaSuccess) {
      std::printf("  stopped in %s\n", c->name);
      std::printf("ERROR %s\n", cudaGetErrorName(c->fatal));
      return 1;
    }
    std::printf("%-44s %s\n", c->name, c->misses == 0 ? "kept" : "broken");
    misses += c->misses;
  }
  if (misses != 0) {
    std::printf("WRONG %d\n", misses);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
