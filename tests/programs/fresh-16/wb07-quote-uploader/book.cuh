#pragma once
#include <vector>

#include "uploader.h"

using Tick = int;

// Price levels of all instruments, kept on the device.
class DeviceBook {
public:
    DeviceBook(Session& session, Uploader& uploader, std::size_t levels);
    ~DeviceBook();

    void load(const std::vector<Tick>& snapshot);
    void apply(const std::vector<Tick>& delta);
    void reprice(unsigned micros);
    std::vector<Tick> read();

private:
    Session& session_;
    Uploader& uploader_;
    std::size_t levels_;
    Tick* book_ = nullptr;
    Tick* delta_ = nullptr;
    unsigned* risk_ = nullptr;
    cudaEvent_t loaded_ = nullptr;
};
