#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include "capture_scope.h"
namespace asr {
struct SessionConfig {
    std::string caller;
    int samples = 8192;
    int gain = 3;
    int bias = 1;
};

// One call under transcription. Its front end (window, energy, normalisation) is a
// list of stages, drawn once into a graph and run for every chunk of audio.
class Session {
public:
    explicit Session(SessionConfig cfg);
    ~Session();
    Session(const Session&) = delete;
    void prepare();
    void feed(const std::vector<int>& chunk);
    std::vector<int> collect();

    const SessionConfig& config() const { return cfg_; }
    int chunks() const { return chunks_.load(); }
private:
    using Stage = std::function<void(CaptureScope&)>;
    void addStages();
    static void CUDART_CB delivered(void* user);

    SessionConfig cfg_;
    std::vector<std::pair<const char*, Stage>> stages_;
    std::atomic<int> chunks_{0};
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    int* hostIn_ = nullptr;
    int* hostOut_ = nullptr;
    int* audio_ = nullptr;
    int* features_ = nullptr;
    unsigned* energy_ = nullptr;
};

// Reference of the front end.
std::vector<int> transcribed(const SessionConfig& cfg, const std::vector<int>& chunk);
}  // namespace asr
