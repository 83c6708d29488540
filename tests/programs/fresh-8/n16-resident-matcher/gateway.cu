/* Order gateway: plays a session against the engine and audits the book. */
#include "matcher.h"

struct shadow {
    int book[LEVELS];
    long wrong;
};

static int shadow_order(struct shadow *s, int level, int qty)
{
    int fill = 0;
    if (qty < 0) {
        fill = -qty < s->book[level] ? -qty : s->book[level];
        s->book[level] -= fill;
    } else {
        s->book[level] += qty;
    }
    return fill;
}

static void audit(struct matcher *m, struct shadow *s)
{
    const int *d = matcher_depth(m);
    int sum = 0;

    for (int k = 0; k < LEVELS; k++) {
        sum += s->book[k];
        if (d[k] != sum)
            s->wrong++;
    }
}

int main(void)
{
    static struct shadow s;
    struct matcher m;
    unsigned r = 12345;

    matcher_init(&m);
    matcher_open(&m);
    for (int n = 1; n <= 1200; n++) {
        r = r * 1103515245u + 12345u;
        int level = (int)((r >> 16) % LEVELS);
        int qty = (int)((r >> 8) % 41) - 18;
        if (qty == 0)
            qty = 1;
        if (matcher_order(&m, level, qty) != shadow_order(&s, level, qty))
            s.wrong++;
        if (n % 200 == 0)
            audit(&m, &s);
    }
    matcher_close(&m);
    audit(&m, &s);
    matcher_free(&m);

    if (s.wrong) {
        printf("WRONG %ld\n", s.wrong);
        return 1;
    }
    printf("DONE\n");
    return 0;
}
