#include <cmath>
#include <cstdio>

#include "session.h"

static std::vector<float> requestFor(int user, const RankerShape& shape) {
    std::vector<float> r(shape.features);
    for (int f = 0; f < shape.features; ++f) r[f] = float((user * 17 + f * 11) % 23) + 1.f;
    return r;
}

static int disagreements(const std::vector<float>& got, const std::vector<float>& request, unsigned model,
                         const RankerShape& shape) {
    int wrong = 0;
    for (int item = 0; item < shape.items; ++item) {
        double want = 0;
        for (int f = 0; f < shape.features; ++f) {
            const Blend b = RankSession::blendOf(model, f);
            want += (double(b.weight) * request[f] + b.bias) * ((item + f) % 5);
        }
        if (std::fabs(want - got[item]) > 0.5) ++wrong;
    }
    return wrong;
}

int main() {
    try {
        RankerShape shape;
        const unsigned model = 42;
        RankSession session(shape, model);
        session.prepare();
        int wrong = 0;
        for (int user = 0; user < 20; ++user) {
            const std::vector<float> request = requestFor(user, shape);
            wrong += disagreements(session.rank(request), request, model, shape);
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
