/* BASIN -- GROUNDWATER HEADS OF A BASIN WITH TWO AQUIFERS, UPPER (1) AND LOWER (2) */
#include "basin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct basarr basarr_;
struct basprm basprm_ = {
    {1.5, 0.4}, {100.0, 40.0}, {8.0, 3.0}, {0.75, -0.25}, 0.05, 40000000LL,
};

/*     INITIAL HEADS                                                     */
void inihed_(void)
{
    int i, l;

    for (l = 1; l <= NAQ; ++l)
        for (i = 1; i <= NX; ++i)
            HHEAD(i, l) = BASE(l) + AMPL(l) * sin((i - 1) * 0.01);
}

/*     ONE TIME STEP OF AQUIFER L                                        */
static void advanc_(const int *l, int *ierr)
{
    int iw;

    getwrk_(l, &iw, ierr);
    if (*ierr != 0) return;
    flux_(l, &iw, ierr);
    if (*ierr == 0) update_(l, &iw, ierr);
    relwrk_(l, &iw);
}

/*     THE SAME ON THE HOST; NBAD COUNTS THE CELLS THAT DIFFER           */
void refsol_(int *nbad)
{
    static double h[NX], f[NX];
    int i, l, is;

    *nbad = 0;
    for (l = 1; l <= NAQ; ++l) {
        for (i = 1; i <= NX; ++i)
            h[i - 1] = BASE(l) + AMPL(l) * sin((i - 1) * 0.01);
        for (is = 1; is <= NSTEP; ++is) {
            for (i = 1; i <= NX; ++i) {
                int im = i > 1 ? i - 1 : 1;
                int ip = i < NX ? i + 1 : NX;
                f[i - 1] = TRANS(l) * (h[ip - 1] - 2.0 * h[i - 1] + h[im - 1]) + RCHG(l);
            }
            for (i = 1; i <= NX; ++i)
                h[i - 1] = h[i - 1] + basprm_.dt * f[i - 1];
        }
        for (i = 1; i <= NX; ++i)
            if (!(fabs(h[i - 1] - HHEAD(i, l)) < 1.0e-7)) *nbad += 1;
    }
}

int main(void)
{
    int ierr, is, l, nbad;

    inihed_();
    bginit_(&ierr);
    if (ierr != 0) goto L900;
    for (is = 1; is <= NSTEP; ++is)
        for (l = 1; l <= NAQ; ++l) {
            advanc_(&l, &ierr);
            if (ierr != 0) goto L900;
        }
    gethed_(&ierr);
    if (ierr != 0) goto L900;
    refsol_(&nbad);
    bgterm_();
    if (nbad != 0)
        printf("WRONG %d\n", nbad);
    else
        printf("DONE\n");
    return 0;

L900:
    printf("ERROR %s\n", cudaGetErrorName((cudaError_t)ierr));
    return 1;
}
