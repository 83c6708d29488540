#pragma once
#include <memory>
#include <string>

namespace desk {

class Valuation {
public:
    virtual ~Valuation() = default;
    virtual long long mark(const int* depth, int levels) = 0;
};

std::unique_ptr<Valuation> makeValuation(const std::string& model);

}  // namespace desk
