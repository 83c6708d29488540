// Tile expression compiler: lowers an expression once and evaluates it for several sets of literals,
// each checked against an interpreter.
#include <cmath>
#include <cstdio>

#include "backend.h"

namespace {

using backend::kTile;
using backend::LiteralPool;
using ir::Op;

class Interpreter : public ir::Visitor {
public:
    explicit Interpreter(LiteralPool& pool) : pool_(pool) {}

    std::vector<float> evaluate(const ir::Node& n) {
        n.accept(*this);
        return std::move(value_);
    }

    void visit(const ir::Literal& l) override { value_.assign(pool_.tile(l.index), pool_.tile(l.index) + kTile); }

    void visit(const ir::Unary& u) override {
        u.arg->accept(*this);
        for (float& x : value_) x = u.op == Op::Neg ? -x : std::fabs(x);
    }

    void visit(const ir::Binary& b) override {
        b.lhs->accept(*this);
        const std::vector<float> lhs = std::move(value_);
        b.rhs->accept(*this);
        for (int i = 0; i < kTile; ++i) value_[i] = fold(b.op, lhs[i], value_[i]);
    }

private:
    static float fold(Op op, float a, float b) {
        switch (op) {
            case Op::Add: return a + b;
            case Op::Sub: return a - b;
            case Op::Mul: return a * b;
            case Op::Max: return a > b ? a : b;
            default: return 0.0f;
        }
    }
    LiteralPool& pool_;
    std::vector<float> value_;
};

constexpr std::size_t kLiterals = 5;

void bind(LiteralPool& pool, int set) {
    for (std::size_t l = 0; l < kLiterals; ++l)
        for (int i = 0; i < kTile; ++i) pool.tile(l)[i] = static_cast<float>((i * (l + 2) + set * 29) % 101) - 50.0f;
}

// max(|a*b + (c - d)|, -(e*a)) * ((b + c) - max(d, e))
ir::Ref expression() {
    using namespace ir;
    Ref left = bin(Op::Max,
                   un(Op::Abs, bin(Op::Add, bin(Op::Mul, lit(0), lit(1)), bin(Op::Sub, lit(2), lit(3)))),
                   un(Op::Neg, bin(Op::Mul, lit(4), lit(0))));
    Ref right = bin(Op::Sub, bin(Op::Add, lit(1), lit(2)), bin(Op::Max, lit(3), lit(4)));
    return bin(Op::Mul, std::move(left), std::move(right));
}

}  // namespace

int main() {
    const ir::Ref root = expression();
    LiteralPool pool(kLiterals);
    bind(pool, 0);
    backend::Module module(*root, pool);

    int wrong = 0;
    for (int set = 0; set < 4; ++set) {
        bind(pool, set);
        const std::vector<float> got = module.run();
        const std::vector<float> want = Interpreter(pool).evaluate(*root);
        for (int i = 0; i < kTile; ++i) wrong += got[i] != want[i];
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
