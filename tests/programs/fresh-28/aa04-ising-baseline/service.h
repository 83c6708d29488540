#ifndef ISING_SERVICE_H
#define ISING_SERVICE_H

#include "mailbox.h"

/* Lattice updates as a service: the worker blocks stay on the device for the
 * whole run, so that a quench protocol with thousands of short orders pays no
 * launch latency. */
class LatticeService {
public:
    explicit LatticeService(uint32_t seed);
    ~LatticeService();
    LatticeService(const LatticeService&) = delete;
    LatticeService& operator=(const LatticeService&) = delete;

    void open();
    void close();

    /* Hands one order to every worker. */
    void order(uint32_t sweeps);
    /* Returns when every worker has served its newest order. */
    void drain() const;

    const uint32_t* cells() const { return cells_; }
    static constexpr int size() { return kWorkers * kCellsPerWorker; }

private:
    void post(uint32_t op, uint32_t sweeps);

    cudaStream_t stream_ = nullptr;
    Mailbox* host_ = nullptr;
    Mailbox* device_ = nullptr;
    uint32_t* cells_ = nullptr;
    uint32_t ticket_ = 0;
    bool open_ = false;
};

uint32_t initial_cell(uint32_t seed, uint32_t index);
uint32_t next_cell(uint32_t cell, uint32_t left, uint32_t right);

#endif
