#include "grid.h"

#include <utility>

namespace acoustic {

namespace {

Cell mix(Cell x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

Cell sample(const Field& f, int r, int c) {
    if (r < 0 || r >= f.rows || c < 0 || c >= f.columns) return 0;
    return f.row(r)[c];
}

}  // namespace

Survey::Survey(const SurveyConfig& config)
    : before(config.columns, config.rows),
      shot(config.columns, config.rows),
      medium(config.columns, config.rows) {
    for (std::size_t i = 0; i < shot.cells.size(); ++i) {
        const Cell id = static_cast<Cell>(i);
        before.cells[i] = mix(id * 3u + 1u) & 0xffffu;
        shot.cells[i] = mix(id * 5u + 2u) & 0xffffu;
        medium.cells[i] = (mix(id * 7u + 3u) & 7u) * 2u + 1u;
    }
}

Field referenceSolution(const SurveyConfig& config, const Survey& survey) {
    Field prev = survey.before;
    Field cur = survey.shot;
    Field next(config.columns, config.rows);
    for (int step = 0; step < config.steps; ++step) {
        for (int r = 0; r < config.rows; ++r) {
            for (int c = 0; c < config.columns; ++c) {
                const Cell centre = cur.row(r)[c];
                const Cell ring = sample(cur, r - 1, c) + sample(cur, r + 1, c) +
                                  sample(cur, r, c - 1) + sample(cur, r, c + 1);
                next.row(r)[c] = 2u * centre - prev.row(r)[c] + survey.medium.row(r)[c] * (ring - 4u * centre);
            }
        }
        std::swap(prev.cells, cur.cells);
        std::swap(cur.cells, next.cells);
    }
    return cur;
}

}  // namespace acoustic
