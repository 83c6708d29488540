#include "plugin_api.h"
#include <map>
#include <string>

namespace tc {
namespace {

std::map<std::string, const tc_filter *> &table()
{
    static std::map<std::string, const tc_filter *> t;
    return t;
}

}  // namespace

void registerFilter(const tc_filter &f) { table()[f.name] = &f; }

const tc_filter *findFilter(const char *name)
{
    auto it = table().find(name);
    return it == table().end() ? nullptr : it->second;
}

}  // namespace tc
