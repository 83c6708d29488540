// Drives decoder, lanes and reclaimer over the whole scene.
#pragma once

#include "lane.h"
#include "reclaimer.h"
#include "staging_pool.h"
#include "tile.h"

#include <memory>
#include <vector>

namespace mosaic {

class MosaicBuilder {
public:
    explicit MosaicBuilder(const SceneConfig& config)
        : config_(config), pool_(config), output_(makePinned<Pixel>(config.tilePixels() * config.tiles)) {
        for (int i = 0; i < config_.lanes; ++i) lanes_.push_back(std::make_unique<Lane>(config_, events_));
    }

    ~MosaicBuilder() { cudaDeviceSynchronize(); }

    void build() {
        Reclaimer reclaimer(pool_, events_);
        const TileReader reader(config_);
        try {
            for (int tile = 0; tile < config_.tiles; ++tile) {
                Ticket ticket;
                ticket.tile = tile;
                ticket.block = pool_.acquire();
                Pixel* staged = pool_.pixels(ticket.block);
                reader.decode(tile, staged);
                Lane& lane = *lanes_[static_cast<std::size_t>(tile) % lanes_.size()];
                ticket.uploaded = lane.submit(tile, staged, tileOutput(tile));
                reclaimer.push(std::move(ticket));
            }
        } catch (...) {
            reclaimer.finish();
            throw;
        }
        reclaimer.finish();
        for (auto& lane : lanes_) lane->finish();
        reclaimed_ = reclaimer.reclaimed();
    }

    const Pixel* tileOutput(int tile) const { return output_.get() + config_.tilePixels() * tile; }
    int reclaimed() const { return reclaimed_; }

private:
    Pixel* tileOutput(int tile) { return output_.get() + config_.tilePixels() * tile; }

    SceneConfig config_;
    EventPool events_;
    StagingPool pool_;
    PinnedPtr<Pixel> output_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    int reclaimed_ = 0;
};

}  // namespace mosaic
