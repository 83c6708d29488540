#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#define ROVER_CHECK(expr) ::rover::require((expr))

namespace rover {
inline void require(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kRays = 360;

struct Pose {
    int x;
    int sigma;
    int fixes;
};

// Everything the nodes exchange. Device memory, except where the name says otherwise.
struct Blackboard {
    int* scan = nullptr;
    int* filtered = nullptr;
    int* setpoint = nullptr;
    Pose* pose = nullptr;
    Pose* poseHost = nullptr;
    int* setpointHost = nullptr;

    Blackboard();
    ~Blackboard();
    void clear(cudaStream_t stream);
};

class Node {
public:
    virtual ~Node() = default;
    virtual void tick(Blackboard& board, int t, cudaStream_t stream) = 0;

    std::string name;
    bool enabled = true;
};

class Registry {
public:
    using Maker = std::function<std::unique_ptr<Node>()>;

    static Registry& instance()
    {
        static Registry registry;
        return registry;
    }
    void add(const char* name, Maker maker) { makers_[name] = std::move(maker); }
    std::unique_ptr<Node> make(const std::string& name) const
    {
        auto node = makers_.at(name)();
        node->name = name;
        return node;
    }
private:
    std::map<std::string, Maker> makers_;
};

template <class T>
struct Registrar {
    explicit Registrar(const char* name)
    {
        Registry::instance().add(name, [] { return std::make_unique<T>(); });
    }
};

// Nodes in the order of the launch file; a name with a trailing '?' starts disabled.
class Graph {
public:
    explicit Graph(std::string_view launchFile);
    void tick(Blackboard& board, int t, cudaStream_t stream);
    void rehearse(Blackboard& board, cudaStream_t stream);
    void enable(std::string_view name, bool on);
private:
    std::vector<std::unique_ptr<Node>> nodes_;
};

struct Mailbox;

// The motor controller: runs on the GPU from start() to stop() and follows the commands.
class Drive {
public:
    Drive();
    ~Drive();
    void start();
    void command(int target);
    int stop();
private:
    Mailbox* mail_ = nullptr;
    Mailbox* mailDevice_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned sent_ = 0;
};
}  // namespace rover
