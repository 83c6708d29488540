#include "fixtures.cuh"

#include <chrono>
#include <thread>

TEST_F(StreamFixture, IdleStreamsAreNotBusy) {
  EXPECT_TRUE(!busy(front_));
  EXPECT_TRUE(!busy(back_));
}

TEST_F(StreamFixture, HeldStreamIsBusy) {
  latch_->hold(front_);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(busy(front_));
  EXPECT_TRUE(!busy(back_));
}

TEST_F(StreamFixture, OpenLatchLetsStreamFinish) {
  latch_->hold(front_);
  latch_->open();
  while (busy(front_)) std::this_thread::yield();
}

TEST_P(BufferFixture, EventOrdersTwoStreams, 0, 17, 4096) {
  latch_->hold(front_);
  fill(front_, param);
  mini::require(cudaEventRecord(ready_, front_));
  mini::require(cudaStreamWaitEvent(back_, ready_, 0));
  fetch(back_);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(busy(back_));
  EXPECT_EQ(mismatches(-kCount), 0);

  latch_->open();
  mini::require(cudaStreamSynchronize(back_));
  EXPECT_EQ(mismatches(param), 0);
}

TEST_F(BufferFixture, IndependentStreamOvertakes) {
  latch_->hold(front_);
  fill(back_, 3);
  fetch(back_);
  mini::require(cudaStreamSynchronize(back_));
  EXPECT_EQ(mismatches(3), 0);
  EXPECT_TRUE(busy(front_));
  latch_->open();
}

TEST_F(BufferFixture, EventIsPendingBehindHeldStream) {
  EXPECT_TRUE(!pending(ready_));
  latch_->hold(front_);
  fill(front_, 1);
  mini::require(cudaEventRecord(ready_, front_));
  for (int probe = 0; probe < 10; ++probe) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(pending(ready_));
  }
  EXPECT_EQ(mismatches(-kCount), 0);
}
