#ifndef AX_CARENA_HPP_
#define AX_CARENA_HPP_
#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>

namespace ax {

class Arena
{
public:
    virtual ~Arena () = default;
    virtual void* alloc (std::size_t nbytes) = 0;
    virtual void free (void* p) = 0;
    static std::size_t align (std::size_t n) noexcept { return ((n + 255) / 256) * 256; }
};

//! Coalescing arena over one slab of device memory of fixed size.
class CArena : public Arena
{
public:
    explicit CArena (std::size_t slab_size);
    ~CArena () override;
    CArena (const CArena&) = delete;
    CArena& operator= (const CArena&) = delete;

    void* alloc (std::size_t nbytes) override;
    void free (void* p) override;

    std::size_t heap_space_used () const noexcept { return m_used; }
    std::size_t heap_space_highest () const noexcept { return m_highest; }

private:
    void* alloc_in_slab (std::size_t nbytes);

    char* m_slab = nullptr;
    std::size_t m_slab_size;
    std::size_t m_used = 0;
    std::size_t m_highest = 0;
    std::map<char*, std::size_t> m_freelist;            // by address
    std::unordered_map<void*, std::size_t> m_busylist;
    std::mutex carena_mutex;
};

} // namespace ax
#endif
