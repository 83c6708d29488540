// What a type is told apart by: `typeid` of it is a text here, the same for the same type.
#pragma once

namespace std {

class type_index {
public:
    type_index(const string& type) : type_(type) {}
    bool operator==(const type_index& other) const { return type_ == other.type_; }
    bool operator!=(const type_index& other) const { return type_ != other.type_; }
    bool operator<(const type_index& other) const { return type_ < other.type_; }

private:
    string type_;
};

}  // namespace std
