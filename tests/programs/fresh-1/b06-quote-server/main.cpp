#include "server.h"

#include <vector>

static const unsigned kCapacity = 1u << 22;

struct market {
    std::vector<std::vector<int>> history;
};

static void make_surface(int *dst, unsigned length, int epoch, void *user)
{
    market *m = static_cast<market *>(user);
    std::vector<int> copy(length);
    for (unsigned i = 0; i < length; ++i)
        copy[i] = dst[i] = (int)((i * 29u + epoch * 131u) % 997u);
    m->history.push_back(copy);
}

static long long reference(const std::vector<int> &surface, int strike)
{
    long long acc = 0;
    for (int v : surface)
        acc += v > strike ? v - strike : 0;
    return acc;
}

int main()
{
    market m;
    quote_server server;
    server_start(&server, kCapacity, make_surface, &m);

    int wrong = 0;
    for (int epoch = 0; epoch < MAX_EPOCHS; ++epoch) {
        if (epoch > 0)
            server_next_epoch(&server, make_surface, &m);
        for (int strike = 100; strike <= 900; strike += 200) {
            long long price = server_quote(&server, strike);
            if (price != reference(m.history.back(), strike))
                ++wrong;
        }
        printf("epoch %d done, %u quotes\n", epoch, server.calls);
    }
    server_stop(&server);

    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
