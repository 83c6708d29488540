// Perception loop of a test vehicle: camera and lidar are fused into an occupancy grid each tick.
#include "recorder.h"

using namespace roadview;

namespace {

template <class T>
T* onDevice(std::size_t n) {
    void* p = nullptr;
    require(cudaMalloc(&p, n * sizeof(T)));
    return static_cast<T*>(p);
}

template <class T>
T* onHost(std::size_t n) {
    void* p = nullptr;
    require(cudaMallocHost(&p, n * sizeof(T)));
    return static_cast<T*>(p);
}

class Vehicle {
public:
    Vehicle() : arena_(64 * 1024), recorder_(arena_) {
        sensors_ = Sensors{onHost<unsigned char>(kCells), onHost<unsigned char>(kCells)};
        world_ = World{onDevice<unsigned char>(kCells), onDevice<unsigned char>(kCells), onDevice<int>(kCells),
                       onDevice<int>(kCells), onDevice<int>(kCells)};
        grid_ = onHost<int>(kCells);
        plan_.push_back({Where::Trunk, std::make_unique<CameraStage>(world_, sensors_)});
        plan_.push_back({Where::Branch, std::make_unique<LidarStage>(world_, sensors_)});
        plan_.push_back({Where::Trunk, std::make_unique<FusionStage>(world_, grid_)});
    }
    ~Vehicle() {
        graph_.reset();
        plan_.clear();
        for (void* p : {static_cast<void*>(world_.camera), static_cast<void*>(world_.lidar),
                        static_cast<void*>(world_.toned), static_cast<void*>(world_.ranged),
                        static_cast<void*>(world_.occupancy)})
            cudaFree(p);
        cudaFreeHost(grid_);
        cudaFreeHost(sensors_.camera);
        cudaFreeHost(sensors_.lidar);
    }

    long start() {
        sense(0);
        recorder_.rehearse(plan_);
        const long bad = check();
        graph_ = recorder_.record(plan_);
        return bad;
    }

    long tick(int n) {
        sense(n);
        graph_->launch(recorder_.trunk());
        require(cudaStreamSynchronize(recorder_.trunk()));
        return check();
    }

private:
    void sense(int n) {
        for (int i = 0; i < kCells; ++i) {
            sensors_.camera[i] = static_cast<unsigned char>(i * 5 + n * 11);
            sensors_.lidar[i] = static_cast<unsigned char>(i / 3 + n);
        }
    }
    long check() const {
        long bad = 0;
        for (int i = 0; i < kCells; ++i)
            bad += grid_[i] != toneAt(sensors_.camera[i]) * weightAt(i & 255) + gainAt(sensors_.lidar[i]);
        return bad;
    }

    HostArena arena_;
    Recorder recorder_;
    Sensors sensors_;
    World world_;
    int* grid_ = nullptr;
    Plan plan_;
    std::unique_ptr<FrameGraph> graph_;
};

}  // namespace

int main() {
    Vehicle vehicle;
    long bad = vehicle.start();
    for (int n = 1; n <= 20; ++n) bad += vehicle.tick(n);
    if (bad) std::printf("WRONG %ld\n", bad);
    else std::printf("DONE\n");
    return 0;
}
