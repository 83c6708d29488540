/* BASIN.H -- COMMON BLOCKS AND INDEX MACROS OF THE BASIN CODE (FROM BASIN.INC, 1987)
 *
 *   NX     CELLS PER AQUIFER            NAQ    NUMBER OF AQUIFERS
 *   NSTEP  TIME STEPS                   NWK    WORK ARRAYS PER AQUIFER
 *
 *   ALL ARRAYS ARE COLUMN MAJOR, SUBSCRIPTS START AT 1.
 *   DEVICE ARRAYS START WITH D, HOST ARRAYS WITH H.
 */
#ifndef BASIN_H
#define BASIN_H

#include <cuda_runtime.h>
#include <stddef.h>

#define NX    32768
#define NAQ   2
#define NSTEP 6
#define NWK   3
#define NTB   256
#define NGR   (NX / NTB)

#define IX2(i, l)      ((size_t)((l) - 1) * NX + (size_t)((i) - 1))
#define DHEAD(i, l)    basgpu_.dhead[IX2(i, l)]
#define DWORK(i, iw)   basgpu_.dwork[IX2(i, iw)]
#define HHEAD(i, l)    basarr_.hhead[IX2(i, l)]
#define IWFREE(k, l)   basstk_.iwfree[((l) - 1) * NWK + (k) - 1]
#define NWFREE(l)      basstk_.nwfree[(l) - 1]
#define TRANS(l)       basprm_.trans[(l) - 1]
#define BASE(l)        basprm_.base[(l) - 1]
#define AMPL(l)        basprm_.ampl[(l) - 1]
#define RCHG(l)        basprm_.rchg[(l) - 1]
#define ISTRM(l)       basgpu_.strm[(l) - 1]

/* COMMON /BASGPU/ */
extern struct basgpu {
    double      *dhead;            /* DHEAD(NX,NAQ)      */
    double      *dwork;            /* DWORK(NX,NWK*NAQ)  */
    cudaStream_t strm[NAQ];        /* ONE PER AQUIFER    */
} basgpu_;

/* COMMON /BASSTK/ -- STACKS OF FREE WORK ARRAYS */
extern struct basstk {
    int iwfree[NWK * NAQ];         /* IWFREE(NWK,NAQ)    */
    int nwfree[NAQ];               /* NWFREE(NAQ)        */
} basstk_;

/* COMMON /BASPRM/ */
extern struct basprm {
    double trans[NAQ], base[NAQ], ampl[NAQ], rchg[NAQ];
    double dt;
    long long iclos;               /* COST OF THE CLOSURE, CYCLES PER CELL */
} basprm_;

/* COMMON /BASARR/ */
extern struct basarr {
    double hhead[NX * NAQ];        /* HHEAD(NX,NAQ)      */
} basarr_;

/* SUBROUTINES; IERR IS A CUDA ERROR CODE, 0 IF NONE */
void bginit_(int *ierr);
void bgterm_(void);
void getwrk_(const int *l, int *iw, int *ierr);
void relwrk_(const int *l, const int *iw);
void flux_(const int *l, const int *iw, int *ierr);
void update_(const int *l, const int *iw, int *ierr);
void gethed_(int *ierr);
void inihed_(void);
void refsol_(int *nbad);

#endif
