// The kernel that stays on the device for the whole trading session.
#pragma once

#include "book.h"
#include "orders.h"

namespace risk {

// Starts one block per desk; each one serves its mailbox until the channel is closed.
void startDesks(const ChannelView& channel, const BookView& book, cudaStream_t stream);

}  // namespace risk
