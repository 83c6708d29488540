// Four conversations at once against a decoder that never leaves the device.
#include <memory>
#include <thread>

#include "client.h"

int main()
{
    chat::check(cudaSetDevice(0));
    chat::check(cudaFree(nullptr));

    int wrong = 0;
    {
        chat::KvCache cache;
        auto decoder = std::make_unique<chat::ResidentDecoder>();

        std::vector<std::unique_ptr<chat::Client>> clients;
        for (int i = 0; i < chat::kSessions; ++i) clients.push_back(std::make_unique<chat::Client>(i, cache, *decoder));

        decoder->start(cache);
        std::vector<std::thread> threads;
        for (auto &c : clients) threads.emplace_back([&c] { c->converse(20); });
        for (auto &t : threads) t.join();
        decoder->retire();

        for (auto &c : clients) wrong += c->differing();
        clients.clear();
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
