#pragma once
#include "feed.h"

class Book {
 public:
  Book();
  ~Book();
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  void submit(feed::Slot& slot);
  void snapshot(int* levels, uint32_t* gaps);

 private:
  cudaStream_t stream_ = nullptr;
  feed::Header* header_ = nullptr;
  feed::Message* body_ = nullptr;
  int* levels_ = nullptr;
  uint32_t* state_ = nullptr;  // next sequence, gaps
};
