// Replays a day of exchange packets into a book kept on the GPU.
#include <array>
#include <vector>

#include "book.cuh"

int main() {
  std::array<feed::Slot, 2> ring;
  Book book;
  std::vector<int> want(feed::kLevels, 0), got(feed::kLevels);

  for (uint32_t p = 0; p < feed::kPackets; ++p) {
    feed::Slot& slot = ring[p % ring.size()];
    slot.acquire();
    *slot.header = {p, feed::kMessages};
    for (uint32_t i = 0; i < feed::kMessages; ++i) {
      slot.body[i] = feed::message(p, i);
      want[slot.body[i].level] += slot.body[i].delta;
    }
    book.submit(slot);
  }

  uint32_t gaps = 0;
  book.snapshot(got.data(), &gaps);
  int wrong = static_cast<int>(gaps);
  for (int l = 0; l < feed::kLevels; ++l) wrong += got[l] != want[l];
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
