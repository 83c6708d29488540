#include <cmath>
#include <cstdio>
#include <future>
#include <memory>
#include <vector>

#include "serve.h"

namespace {

int mismatches(const serve::ServerOptions& options, int tenant, int batch, const std::vector<float>& state) {
    double norm = 0.0;
    for (int layer = 0; layer < options.layers; ++layer)
        for (int i = 0; i < options.hidden; ++i) norm += serve::weight(tenant, layer, i);
    int wrong = 0;
    for (int b = 0; b < batch; ++b)
        for (int i = 0; i < options.hidden; ++i) {
            double expected = 1.0 + norm;
            for (int layer = 0; layer < options.layers; ++layer)
                expected += serve::weight(tenant, layer, i) * (b + 1);
            if (std::fabs(expected - state[static_cast<std::size_t>(b) * options.hidden + i]) > 0.5) ++wrong;
        }
    return wrong;
}

int serve_all(const serve::ServerOptions& options) {
    serve::AdapterLoader loader(options);
    std::vector<std::unique_ptr<serve::BatchProgram>> programs;
    for (int batch : {1, 2, 4}) {
        programs.push_back(std::make_unique<serve::BatchProgram>(options, batch));
        programs.back()->warm();
    }

    int wrong = 0;
    for (int tenant = 0; tenant < options.tenants; ++tenant) {
        std::future<std::shared_ptr<serve::Adapter>> arriving =
            std::async(std::launch::async, [&loader, tenant] { return loader.load(tenant); });
        for (auto& program : programs) program->compile();

        const std::shared_ptr<serve::Adapter> adapter = arriving.get();
        for (auto& program : programs)
            wrong += mismatches(options, tenant, program->batch(), program->run(*adapter, options.requests_per_tenant));
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        const serve::ServerOptions options;
        const int wrong = serve_all(options);
        if (wrong) {
            std::printf("WRONG %d\n", wrong);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const serve::CudaFailure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
}
