#pragma once
#include "arena.h"
#include <vector>

namespace roadview {

constexpr int kCells = 1 << 16;
constexpr int kCurve = 256;

struct Sensors {  // filled by the drivers before each tick
    unsigned char* camera = nullptr;
    unsigned char* lidar = nullptr;
};

struct World {  // device side of one vehicle
    unsigned char* camera = nullptr;
    unsigned char* lidar = nullptr;
    int* toned = nullptr;
    int* ranged = nullptr;
    int* occupancy = nullptr;
};

// Tables as functions of the index, used for set-up and for the self-check.
inline int toneAt(int i) { return i * 3 + 1; }
inline int gainAt(int i) { return 900 - i; }
inline int weightAt(int i) { return (i % 7) + 1; }

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(cudaStream_t lane, HostArena& arena) = 0;
};

class TableStage : public Stage {
public:
    TableStage() { require(cudaMalloc(reinterpret_cast<void**>(&table_), kCurve * sizeof(int))); }
    ~TableStage() override { cudaFree(table_); }

protected:
    // Calibration goes with the frame: technicians may swap it while the vehicle stands.
    template <class F>
    void sendTable(cudaStream_t lane, HostArena& arena, F&& at) {
        int* staged = arena.take<int>(kCurve);
        for (int i = 0; i < kCurve; ++i) staged[i] = at(i);
        require(cudaMemcpyAsync(table_, staged, kCurve * sizeof(int), cudaMemcpyHostToDevice, lane));
    }
    int* table_ = nullptr;
};

class CameraStage : public TableStage {
public:
    CameraStage(World& w, const Sensors& s) : world_(w), sensors_(s) {}
    void enqueue(cudaStream_t lane, HostArena& arena) override;

private:
    World& world_;
    const Sensors& sensors_;
};

class LidarStage : public TableStage {
public:
    LidarStage(World& w, const Sensors& s) : world_(w), sensors_(s) {}
    void enqueue(cudaStream_t lane, HostArena& arena) override;

private:
    World& world_;
    const Sensors& sensors_;
};

class FusionStage : public TableStage {
public:
    FusionStage(World& w, int* published) : world_(w), published_(published) {}
    void enqueue(cudaStream_t lane, HostArena& arena) override;

private:
    World& world_;
    int* published_;
};

}  // namespace roadview
