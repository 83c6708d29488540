// Level loader: prefetches the textures of each room and checks them once they are resident.
#include <cstdio>

#include "asset_cache.h"

int main() {
    const int rooms[][4] = {{11, 12, 13, 14}, {13, 14, 21, 22}, {31, 11, 32, 22}};
    try {
        assets::CacheConfig cfg;
        assets::AssetCache cache(cfg);
        int wrong = 0, loaded = 0;
        for (const auto& room : rooms) {
            for (int id : room) cache.prefetch(id);
            loaded += cache.drain();
            for (int id : room) {
                if (!cache.resident(id)) {
                    ++wrong;
                    continue;
                }
                const auto texels = cache.read(id);
                for (std::size_t i = 0; i < texels.size(); ++i)
                    if (texels[i] != float((i * 7 + id) % 251)) {
                        ++wrong;
                        break;
                    }
            }
        }
        std::printf("assets loaded: %d\n", loaded);
        if (loaded != 8) ++wrong;
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const assets::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
