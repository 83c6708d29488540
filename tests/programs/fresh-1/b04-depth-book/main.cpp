#include "book.h"

#include <vector>

static std::vector<order> synth_orders(unsigned seed)
{
    std::vector<order> o(ORDERS);
    for (order &x : o) {
        seed = seed * 1103515245u + 12345u;
        x.level = (seed >> 8) % LEVELS;
        x.quantity = (int)((seed >> 20) % 41) - 20;
    }
    return o;
}

int main()
{
    std::vector<order> orders[VENUES];
    const order *feed[VENUES];
    for (int v = 0; v < VENUES; ++v) {
        orders[v] = synth_orders(77u + v);
        feed[v] = orders[v].data();
    }

    depth_book book;
    book_create(&book, feed);
    while (book_step(&book)) {
    }
    long long net[SESSIONS];
    book_result(&book, net);
    book_destroy(&book);

    int wrong = 0;
    for (int s = 0; s < SESSIONS; ++s) {
        long long want = 0;
        for (int v = 0; v < VENUES; ++v)
            for (const order &o : orders[v])
                want += (long long)o.quantity * (s + v + 1) * (o.level % 17 + 1);
        printf("session %d net %lld\n", s, net[s]);
        if (want != net[s])
            ++wrong;
    }
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong ? 1 : 0;
}
