#include "cg.cuh"

#include <cmath>
#include <cstdio>

namespace {

constexpr int kNx = 1024;
constexpr int kNy = 768;

// Five point diffusion with decay: well conditioned, so few iterations do.
cg::EllMatrix diffusion()
{
    cg::EllMatrix a;
    a.rows = kNx * kNy;
    a.values.assign(static_cast<std::size_t>(a.rows) * cg::kNnz, 0.0);
    a.columns.assign(static_cast<std::size_t>(a.rows) * cg::kNnz, 0);
    for (int j = 0; j < kNy; ++j)
        for (int i = 0; i < kNx; ++i) {
            const int row = j * kNx + i;
            const int nb[4] = {i > 0 ? row - 1 : row, i < kNx - 1 ? row + 1 : row, j > 0 ? row - kNx : row,
                               j < kNy - 1 ? row + kNx : row};
            const std::size_t base = static_cast<std::size_t>(row) * cg::kNnz;
            a.values[base] = 6.0;
            a.columns[base] = row;
            for (int k = 0; k < 4; ++k) {
                a.values[base + 1 + k] = nb[k] == row ? 0.0 : -1.0;
                a.columns[base + 1 + k] = nb[k];
            }
        }
    return a;
}

int residual_errors(const cg::EllMatrix& a, const std::vector<double>& x, const std::vector<double>& b)
{
    int wrong = 0;
    for (int row = 0; row < a.rows; ++row) {
        const std::size_t base = static_cast<std::size_t>(row) * cg::kNnz;
        double s = 0.0;
        for (int k = 0; k < cg::kNnz; ++k)
            s += a.values[base + k] * x[a.columns[base + k]];
        if (!(std::fabs(s - b[row]) < 1e-6))
            ++wrong;
    }
    return wrong;
}

} // namespace

int main()
{
    try {
        const cg::EllMatrix a = diffusion();
        std::vector<double> b(a.rows);
        for (int i = 0; i < a.rows; ++i)
            b[i] = 1.0 + (i * 37 % 101) * 0.01;
        const std::vector<double> x = cg::solve(a, b, 40);
        const int wrong = residual_errors(a, x, b);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const cg::Failure& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
    return 0;
}
