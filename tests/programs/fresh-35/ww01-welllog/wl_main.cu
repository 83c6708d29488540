/* wl_main.cu - driver program: reads the passes, stacks, compares with the host model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "welllog.h"

void wl_read(int ipass, short *dst, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        unsigned h = (unsigned)i * 2654435761u + (unsigned)ipass * 40503u;
        dst[i] = (short)(200 + (int)((h >> 9) & 63u) + 11 * ipass);
        if (((h >> 17) & 127u) == 5u)
            dst[i] = (short)(dst[i] + 900);         /* tool noise */
    }
}

static int med3(int a, int b, int c)
{
    int lo = a < b ? a : b, hi = a < b ? b : a;

    return c < lo ? lo : (c > hi ? hi : c);
}

void wl_model(int *curve, int *peaks)
{
    static short raw[2][WL_NSAMP];
    int ip, k, i;

    memset(curve, 0, WL_NSAMP * sizeof(int));
    for (ip = 0; ip < WL_NPASS; ip += 2) {
        int peak = 0;
        for (k = 0; k < 2; k++)
            wl_read(ip + k, raw[k], WL_NSAMP);
        for (i = 0; i < WL_NSAMP; i++) {
            int l = i > 0 ? i - 1 : 0, r = i < WL_NSAMP - 1 ? i + 1 : WL_NSAMP - 1, v;
            v = 3 * med3(raw[0][l], raw[0][i], raw[0][r])
              + 2 * med3(raw[1][l], raw[1][i], raw[1][r]);
            curve[i] += v;
            if (v > peak)
                peak = v;
        }
        peaks[ip / 2] = peak;
    }
}

int main(void)
{
    int *got = NULL, *want = NULL, gotp[WL_NPAIR], wantp[WL_NPAIR];
    int i, rc = 1, wrong = 0;

    got = (int *)calloc(WL_NSAMP, sizeof(int));
    want = (int *)calloc(WL_NSAMP, sizeof(int));
    if (!got || !want)
        goto done;
    if (wl_open() != WL_OK)
        goto gpufail;
    for (i = 0; i < WL_NPASS; i++)
        if (wl_pass(i, wl_read) != WL_OK)
            goto gpufail;
    if (wl_fetch(got, gotp) != WL_OK)
        goto gpufail;

    wl_model(want, wantp);
    for (i = 0; i < WL_NSAMP; i++)
        wrong += got[i] != want[i];
    for (i = 0; i < WL_NPAIR; i++)
        wrong += gotp[i] != wantp[i];
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    rc = 0;
    goto done;

gpufail:
    printf("ERROR %s\n", wl_errname);
done:
    wl_close();
    free(got);
    free(want);
    return rc;
}
