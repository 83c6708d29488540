// Credit scoring front end: applicants' feature rows go to the desk one by one.
#include <cstdio>
#include <vector>

#include "scoring_desk.h"

namespace {

struct Applicant {
    int rows;
    float bias;
};

std::vector<float> featuresOf(const Applicant& a) {
    std::vector<float> rows(a.rows);
    for (int i = 0; i < a.rows; ++i) rows[i] = static_cast<float>((i * 7 + a.rows) % 13);
    return rows;
}

int report(const desk::ScoringDesk& d) {
    std::printf("ERROR %s\n", cudaGetErrorName(d.fault()));
    return 1;
}

}  // namespace

int main() {
    const std::vector<Applicant> queue = {{800, 0.5f},   {4096, 1.0f},  {12000, 1.5f},
                                          {2500, 2.0f},  {30000, 2.5f}, {64, 3.0f}};
    desk::DeskConfig config;
    config.threads = 256;
    desk::ScoringDesk scorer(config);
    if (scorer.open() != desk::Status::Ok) return report(scorer);

    int wrong = 0;
    for (const Applicant& a : queue) {
        const std::vector<float> rows = featuresOf(a);
        float got = 0.0f;
        if (scorer.score(rows, a.bias, &got) != desk::Status::Ok) return report(scorer);
        float want = 0.0f;
        for (float r : rows) want += r;
        if (got != want + a.bias) ++wrong;
    }
    if (scorer.close() != desk::Status::Ok) return report(scorer);

    if (wrong != 0) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
