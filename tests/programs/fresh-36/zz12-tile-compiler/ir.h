#pragma once
// Expression IR over fixed-size tiles.
#include <cstddef>
#include <memory>
#include <utility>

namespace ir {

enum class Op { Add, Sub, Mul, Max, Neg, Abs, kCount };

struct Literal;
struct Unary;
struct Binary;

struct Visitor {
    virtual ~Visitor() = default;
    virtual void visit(const Literal&) = 0;
    virtual void visit(const Unary&) = 0;
    virtual void visit(const Binary&) = 0;
};

struct Node {
    virtual ~Node() = default;
    virtual void accept(Visitor& v) const = 0;
};
using Ref = std::unique_ptr<Node>;

template <class Self>
struct Visitable : Node {
    void accept(Visitor& v) const override { v.visit(static_cast<const Self&>(*this)); }
};

struct Literal : Visitable<Literal> {
    explicit Literal(std::size_t i) : index(i) {}
    std::size_t index;
};

struct Unary : Visitable<Unary> {
    Unary(Op o, Ref a) : op(o), arg(std::move(a)) {}
    Op op;
    Ref arg;
};

struct Binary : Visitable<Binary> {
    Binary(Op o, Ref l, Ref r) : op(o), lhs(std::move(l)), rhs(std::move(r)) {}
    Op op;
    Ref lhs, rhs;
};

inline Ref lit(std::size_t i) { return std::make_unique<Literal>(i); }
inline Ref un(Op o, Ref a) { return std::make_unique<Unary>(o, std::move(a)); }
inline Ref bin(Op o, Ref l, Ref r) { return std::make_unique<Binary>(o, std::move(l), std::move(r)); }

}  // namespace ir
