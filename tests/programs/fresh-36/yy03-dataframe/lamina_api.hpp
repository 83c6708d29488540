#pragma once

#include "lamina_types.hpp"

namespace lamina {

std::unique_ptr<table> gather(table_view const& source, column_view const& gather_map,
                              out_of_bounds_policy policy = out_of_bounds_policy::DONT_CHECK,
                              stream_view stream = get_default_stream(),
                              arena_memory_resource* mr = get_current_device_resource());

std::unique_ptr<table> sort_by_key(table_view const& values, column_view const& keys, order column_order,
                                   stream_view stream = get_default_stream(),
                                   arena_memory_resource* mr = get_current_device_resource());

namespace detail {

std::unique_ptr<table> gather(table_view const& source, column_view const& gather_map, out_of_bounds_policy policy,
                              stream_view stream, arena_memory_resource* mr);

std::unique_ptr<column> sorted_order(column_view const& keys, order column_order, stream_view stream,
                                     arena_memory_resource* mr);

std::unique_ptr<table> sort_by_key(table_view const& values, column_view const& keys, order column_order,
                                   stream_view stream, arena_memory_resource* mr);

}  // namespace detail
}  // namespace lamina
