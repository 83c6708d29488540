#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sweep {

using Value = std::variant<int, double, std::string>;

class Options {
public:
    Options& set(std::string key, Value value)
    {
        values_.insert_or_assign(std::move(key), std::move(value));
        return *this;
    }

    template <class T>
    T get(const std::string& key, T fallback) const
    {
        const auto it = values_.find(key);
        if (it == values_.end()) return fallback;
        if (const T* v = std::get_if<T>(&it->second)) return *v;
        return fallback;
    }

private:
    std::map<std::string, Value> values_;
};

// Parses "key=value;key=value".
inline Options parse(std::string_view text)
{
    Options options;
    while (!text.empty()) {
        const auto end = text.find(';');
        const auto item = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        const auto eq = item.find('=');
        if (eq == std::string_view::npos) continue;
        const std::string key(item.substr(0, eq)), raw(item.substr(eq + 1));
        if (raw.find_first_not_of("0123456789") == std::string::npos)
            options.set(key, std::stoi(raw));
        else if (raw.find_first_not_of("0123456789.") == std::string::npos)
            options.set(key, std::stod(raw));
        else
            options.set(key, raw);
    }
    return options;
}

}  // namespace sweep
