#include "node.h"
#include <atomic>
#include <thread>

namespace rover {
namespace {
__global__ void medianOfThree(const int* scan, int* filtered, int t)
{
    const int i = threadIdx.x;
    if (i >= kRays) return;
    const int a = scan[(i + kRays - 1) % kRays] + t, b = scan[i] + t, c = scan[(i + 1) % kRays] + t;
    filtered[i] = max(min(a, b), min(max(a, b), c));
}

__global__ void advance(Pose* pose)
{
    pose->x += 5;
    pose->sigma += 1;
}

__global__ void plan(const int* filtered, const Pose* pose, int* setpoint)
{
    __shared__ int nearest;
    if (threadIdx.x == 0) nearest = 1 << 30;
    __syncthreads();
    if (threadIdx.x < kRays) atomicMin(&nearest, filtered[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *setpoint = 2 * pose->x + nearest;
}

class LidarFilter : public Node {
    void tick(Blackboard& board, int t, cudaStream_t stream) override
    {
        medianOfThree<<<1, 384, 0, stream>>>(board.scan, board.filtered, t);
    }
};

class Odometry : public Node {
    void tick(Blackboard& board, int, cudaStream_t stream) override { advance<<<1, 1, 0, stream>>>(board.pose); }
};

class Planner : public Node {
    void tick(Blackboard& board, int, cudaStream_t stream) override
    {
        plan<<<1, 384, 0, stream>>>(board.filtered, board.pose, board.setpoint);
        ROVER_CHECK(cudaGetLastError());
        ROVER_CHECK(cudaMemcpyAsync(board.setpointHost, board.setpoint, sizeof(int), cudaMemcpyDeviceToHost, stream));
        ROVER_CHECK(cudaMemcpyAsync(board.poseHost, board.pose, sizeof(Pose), cudaMemcpyDeviceToHost, stream));
    }
};

const Registrar<LidarFilter> lidarFilter("lidar_filter");
const Registrar<Odometry> odometry("odometry");
const Registrar<Planner> planner("planner");
}  // namespace

struct Mailbox {
    volatile unsigned sequence;
    volatile unsigned acknowledged;
    volatile int target;
    volatile int position;
    volatile int halt;
};

__global__ void servoLoop(Mailbox* mail)
{
    unsigned seen = 0;
    int position = 0;
    while (!mail->halt) {
        const unsigned sequence = mail->sequence;
        if (sequence != seen) {
            __threadfence_system();
            position += mail->target - position / 2;
            mail->position = position;
            __threadfence_system();
            mail->acknowledged = seen = sequence;
        }
        __nanosleep(2000);
    }
}

Drive::Drive()
{
    ROVER_CHECK(cudaHostAlloc(&mail_, sizeof(Mailbox), cudaHostAllocMapped));
    ROVER_CHECK(cudaHostGetDevicePointer(&mailDevice_, mail_, 0));
    ROVER_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    mail_->sequence = mail_->acknowledged = 0;
    mail_->target = mail_->position = mail_->halt = 0;
}

Drive::~Drive()
{
    cudaStreamDestroy(stream_);
    cudaFreeHost(mail_);
}

void Drive::start()
{
    servoLoop<<<1, 1, 0, stream_>>>(mailDevice_);
    ROVER_CHECK(cudaGetLastError());
}

void Drive::command(int target)
{
    mail_->target = target;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    mail_->sequence = ++sent_;
    while (mail_->acknowledged != sent_) std::this_thread::yield();
}

int Drive::stop()
{
    mail_->halt = 1;
    ROVER_CHECK(cudaStreamSynchronize(stream_));
    return mail_->position;
}
}  // namespace rover
