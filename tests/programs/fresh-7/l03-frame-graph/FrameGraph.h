#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#define GFX_CHECK(expr) ::gfx::Verify((expr))

namespace gfx {

void Verify(cudaError_t result);

constexpr int kFramesInFlight = 2;

enum class Queue : int { Graphics = 0, AsyncCompute = 1, Count = 2 };

using TextureId = int;

struct Texture {
    std::string m_name;
    size_t m_texels = 0;
    std::array<float*, kFramesInFlight> m_storage{};
    std::array<cudaEvent_t, kFramesInFlight> m_written{};
};

struct FrameContext {
    int m_index = 0;
    int m_slot = 0;
    cudaStream_t m_stream{};
    const std::vector<Texture>* m_textures = nullptr;
    float* Map(TextureId id) const { return (*m_textures)[id].m_storage[m_slot]; }
};

struct Pass {
    std::string m_name;
    Queue m_queue = Queue::Graphics;
    std::vector<TextureId> m_reads;
    std::vector<TextureId> m_writes;
    std::function<void(const FrameContext&)> m_record;
};

class FrameGraph {
public:
    FrameGraph();
    ~FrameGraph();
    FrameGraph(const FrameGraph&) = delete;
    FrameGraph& operator=(const FrameGraph&) = delete;

    TextureId DeclareTexture(std::string name, size_t texels);
    TextureId FindTexture(const std::string& name) const;
    void AddPass(Pass pass);
    void Compile();
    void Execute(int frameIndex);
    void Flush();

private:
    std::vector<Texture> m_textures;
    std::vector<Pass> m_passes;
    std::array<cudaStream_t, static_cast<int>(Queue::Count)> m_queues{};
    std::array<std::array<cudaEvent_t, kFramesInFlight>, static_cast<int>(Queue::Count)> m_fences{};
};

}  // namespace gfx
