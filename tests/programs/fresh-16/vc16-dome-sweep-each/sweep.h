#pragma once
#include <vector>
#include "warp_library.h"

namespace dome {

struct Figure {
    Shape shape;
    double msPerFrame;
};

class Interval {
public:
    Interval() {
        must(cudaEventCreate(&from_));
        must(cudaEventCreate(&to_));
    }
    ~Interval() {
        cudaEventDestroy(to_);
        cudaEventDestroy(from_);
    }
    Interval(const Interval&) = delete;
    Interval& operator=(const Interval&) = delete;

    void open(cudaStream_t stream) { must(cudaEventRecord(from_, stream)); }
    void close(cudaStream_t stream) { must(cudaEventRecord(to_, stream)); }
    double ms() const {
        float value = 0.0f;
        must(cudaEventSynchronize(to_));
        must(cudaEventElapsedTime(&value, from_, to_));
        return value;
    }

private:
    cudaEvent_t from_ = nullptr;
    cudaEvent_t to_ = nullptr;
};

// Steady frame time of the projector at each shape.
inline std::vector<Figure> sweep(Projector& projector, const std::vector<Shape>& shapes, int frames) {
    std::vector<Figure> figures;
    Interval interval;
    for (const Shape& shape : shapes) {
        for (int warm = 0; warm < 3; ++warm) projector.show(shape);
        must(cudaStreamSynchronize(projector.stream()));
        interval.open(projector.stream());
        for (int f = 0; f < frames; ++f) projector.show(shape);
        interval.close(projector.stream());
        figures.push_back({shape, interval.ms() / frames});
    }
    return figures;
}

}  // namespace dome
