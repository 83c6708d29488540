#include "scorer.h"

using namespace fraud;

namespace {

void receive(Batch& batch, const ServiceConfig& config)
{
    for (int r = 0; r < batch.rows; ++r)
        for (int f = 0; f < config.fields; ++f)
            batch.features[r * config.fields + f] = feature(batch.id, r, f);
}

bool correct(const Verdict& v, int id, const ServiceConfig& config)
{
    Verdict expected{id, 0, 0};
    for (int r = 0; r < config.rows; ++r) {
        int score = 0;
        for (int f = 0; f < config.fields; ++f) score += feature(id, r, f);
        expected.total += static_cast<std::uint64_t>(score) * (r + 1);
        expected.alarms += score > config.alarmAbove;
    }
    return v.batch == id && v.alarms == expected.alarms && v.total == expected.total;
}

}  // namespace

int main()
{
    const ServiceConfig config;
    auto pool = BatchPool::create(config);
    int wrong = 0;
    {
        Scorer scorer(config);
        std::vector<std::future<Verdict>> verdicts;
        for (int id = 0; id < config.batches; ++id) {
            BatchPtr batch = pool->lease(id);
            receive(*batch, config);
            verdicts.push_back(scorer.submit(batch));
        }
        for (int id = 0; id < config.batches; ++id)
            wrong += !correct(verdicts[id].get(), id, config);
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
