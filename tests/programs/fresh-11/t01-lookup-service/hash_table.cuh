#pragma once
#include <cstdint>
#include "device_vector.h"

// Open addressing, key 0 marks an empty slot.
struct TableView {
    uint32_t* keys;
    uint32_t* values;
    uint32_t mask;
};

__device__ inline uint32_t slot_of(uint32_t key)
{
    key ^= key >> 15;
    key *= 0x2c1b3c6du;
    key ^= key >> 12;
    return key;
}

__device__ inline uint32_t find(const TableView& t, uint32_t key)
{
    for (uint32_t s = slot_of(key) & t.mask;; s = (s + 1) & t.mask) {
        uint32_t k = __ldcg(t.keys + s);
        if (k == key) return __ldcg(t.values + s);
        if (k == 0) return 0xffffffffu;
    }
}

class HashTable {
public:
    explicit HashTable(unsigned log2_slots);
    ~HashTable();
    // Uploads a batch of pairs and adds it; both arrays are page-locked.
    void insert(const uint32_t* keys, const uint32_t* values, uint32_t n);
    void wait() const;
    TableView view() const { return {keys_.data(), values_.data(), mask_}; }

private:
    uint32_t mask_;
    DeviceVector<uint32_t> keys_, values_;
    DeviceVector<uint32_t> staged_keys_, staged_values_;
    cudaStream_t stream_ = nullptr;
};
