#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace trk {

// Page-locked slots handed out as scoped leases.
class StagingArena {
public:
    class Lease {
    public:
        Lease() = default;
        Lease(StagingArena* arena, void* slot) : arena_(arena), slot_(slot) {}
        Lease(Lease&& o) noexcept
            : arena_(std::exchange(o.arena_, nullptr)), slot_(std::exchange(o.slot_, nullptr)) {}
        Lease& operator=(Lease&& o) noexcept
        {
            std::swap(arena_, o.arena_);
            std::swap(slot_, o.slot_);
            return *this;
        }
        ~Lease()
        {
            if (arena_) arena_->give_back(slot_);
        }
        template <class T> T* as() const { return static_cast<T*>(slot_); }

    private:
        StagingArena* arena_ = nullptr;
        void* slot_ = nullptr;
    };

    StagingArena(std::size_t slot_bytes, int slots);
    ~StagingArena();
    StagingArena(const StagingArena&) = delete;
    StagingArena& operator=(const StagingArena&) = delete;

    Lease lease();

private:
    friend class Lease;
    void give_back(void* slot) { free_.push_back(slot); }

    char* base_ = nullptr;
    std::vector<void*> free_;
};

}  // namespace trk
