#include "slab.cuh"

namespace acoustic {

namespace {

constexpr int kBlockX = 64;
constexpr int kBlockY = 4;

__device__ __forceinline__ unsigned long long nanoseconds() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Stands for the viscoelastic attenuation model, whose cost depends on the rock.
__device__ void attenuate(unsigned micros) {
    const unsigned long long until = nanoseconds() + 1000ull * micros;
    while (nanoseconds() < until) {
        __nanosleep(2000);
    }
}

__global__ void stepKernel(const Cell* prev, const Cell* cur, Cell* next, const Cell* medium, int columns, int rows,
                           unsigned costMicros) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    attenuate(costMicros);
    if (c >= columns || r >= rows) return;

    // Row 0 of a pressure buffer is the upper ghost row.
    const int at = (r + 1) * columns + c;
    const Cell centre = cur[at];
    const Cell west = c > 0 ? cur[at - 1] : 0u;
    const Cell east = c + 1 < columns ? cur[at + 1] : 0u;
    const Cell ring = cur[at - columns] + cur[at + columns] + west + east;
    next[at] = 2u * centre - prev[at] + medium[r * columns + c] * (ring - 4u * centre);
}

std::size_t cellsWithGhosts(const SurveyConfig& config, const SlabExtent& extent) {
    return static_cast<std::size_t>(config.columns) * (extent.rowCount + 2);
}

}  // namespace

Slab::Slab(const SurveyConfig& config, const SlabExtent& extent)
    : extent_(extent),
      columns_(config.columns),
      pressure_{DeviceArray<Cell>(cellsWithGhosts(config, extent)), DeviceArray<Cell>(cellsWithGhosts(config, extent)),
                DeviceArray<Cell>(cellsWithGhosts(config, extent))},
      medium_(static_cast<std::size_t>(config.columns) * extent.rowCount) {}

const Cell* Slab::edgeRow(int level, Side side) const {
    const int row = side == Side::Top ? 1 : extent_.rowCount;
    return pressure_[level].data() + static_cast<std::size_t>(row) * columns_;
}

Cell* Slab::ghostRow(int level, Side side) {
    const int row = side == Side::Top ? 0 : extent_.rowCount + 1;
    return pressure_[level].data() + static_cast<std::size_t>(row) * columns_;
}

void Slab::load(const Survey& survey) {
    const Levels levels = Levels::at(0);
    const std::size_t cells = static_cast<std::size_t>(columns_) * extent_.rowCount;

    for (auto& level : pressure_) level.clear(compute_);
    pressure_[levels.prev].upload(survey.before.row(extent_.firstRow), cells, columns_, compute_);
    pressure_[levels.cur].upload(survey.shot.row(extent_.firstRow), cells, columns_, compute_);
    medium_.upload(survey.medium.row(extent_.firstRow), cells, 0, compute_);
    published_[levels.cur].record(compute_);
    compute_.synchronize();
}

void Slab::pullHalo(const Slab& neighbour, Side side, const Levels& levels) {
    const Side facing = side == Side::Top ? Side::Bottom : Side::Top;
    halo_.wait(neighbour.published(levels.cur));
    GPU_CHECK(cudaMemcpyAsync(ghostRow(levels.cur, side), neighbour.edgeRow(levels.cur, facing), rowBytes(),
                              cudaMemcpyDeviceToDevice, halo_.get()));
}

void Slab::closeHalo(const Levels& levels) { haloFilled_[levels.cur].record(halo_); }

void Slab::advance(const Levels& levels) {
    const dim3 block(kBlockX, kBlockY);
    const dim3 grid((columns_ + kBlockX - 1) / kBlockX, (extent_.rowCount + kBlockY - 1) / kBlockY);

    compute_.wait(haloFilled_[levels.cur]);
    stepKernel<<<grid, block, 0, compute_.get()>>>(pressure_[levels.prev].data(), pressure_[levels.cur].data(),
                                                   pressure_[levels.next].data(), medium_.data(), columns_,
                                                   extent_.rowCount, extent_.costMicros);
    GPU_CHECK(cudaGetLastError());
    published_[levels.cur].record(compute_);
}

void Slab::store(Field& target, int level) const {
    const std::size_t cells = static_cast<std::size_t>(columns_) * extent_.rowCount;
    pressure_[level].download(target.row(extent_.firstRow), cells, columns_, compute_);
    compute_.synchronize();
}

}  // namespace acoustic
