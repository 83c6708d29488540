#include "session.h"

int main() {
  conv::Session session(conv::SessionOptions{});
  long wrong = 0;
  unsigned state = 12345;
  for (int request : {1, 2, 1, 3, 7, 2, 8}) {
    std::vector<int> planes(static_cast<size_t>(request) * conv::kPlane);
    for (int& p : planes) {
      state = state * 1103515245u + 12345u;
      p = static_cast<int>(state >> 16) % 256;
    }
    const std::vector<int> got = session.Run(planes);
    const std::vector<int> expected = session.Reference(planes);
    for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != expected[i];
  }
  if (wrong != 0) {
    std::printf("WRONG %ld\n", wrong);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
