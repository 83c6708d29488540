#pragma once
#include <variant>
#include <vector>

#include "image.hpp"

// Every stage is a small functor that maps an image to a new image, in stream order.
struct Vignette {
    float strength;
    Image operator()(const Image& in, cudaStream_t s) const;
    float reference(const std::vector<float>& in, int w, int i) const;
};

struct Smooth {
    float centre;
    Image operator()(const Image& in, cudaStream_t s) const;
    float reference(const std::vector<float>& in, int w, int i) const;
};

struct Binarise {
    float level;
    Image operator()(const Image& in, cudaStream_t s) const;
    float reference(const std::vector<float>& in, int w, int i) const;
};

using Stage = std::variant<Vignette, Smooth, Binarise>;
using Recipe = std::vector<Stage>;

Image develop(const Recipe& recipe, Image img, cudaStream_t s);
std::vector<float> develop(const Recipe& recipe, std::vector<float> img, int w);
