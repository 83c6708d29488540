/* BASGPU -- DEVICE SIDE OF THE BASIN CODE */
#include "basin.h"

#define RETERR(expr) do { *ierr = (int)(expr); if (*ierr != 0) return; } while (0)

struct basgpu basgpu_;
struct basstk basstk_;

/*     FLUX(I) = T*(H(I+1) - 2*H(I) + H(I-1)) + R                        */
__global__ static void kflux(const double *h, double *flux, double trans, double rchg)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int im = i > 1 ? i - 1 : 1;
    int ip = i < NX ? i + 1 : NX;
    if (i > NX) return;
    flux[i - 1] = trans * (h[ip - 1] - 2.0 * h[i - 1] + h[im - 1]) + rchg;
}

/*     H(I) = H(I) + DT*FLUX(I), WITH THE CLOSURE OF COST ICLOS          */
__global__ static void kupdat(double *h, const double *flux, double dt, long long iclos)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    long long it0 = clock64();
L10:
    if (clock64() - it0 < iclos) goto L10;
    if (i > NX) return;
    h[i - 1] = h[i - 1] + dt * flux[i - 1];
}

void bginit_(int *ierr)
{
    int l, k;

    RETERR(cudaMalloc((void **)&basgpu_.dhead, sizeof(double) * NX * NAQ));
    RETERR(cudaMalloc((void **)&basgpu_.dwork, sizeof(double) * NX * NWK * NAQ));
    for (l = 1; l <= NAQ; ++l) {
        RETERR(cudaStreamCreateWithFlags(&ISTRM(l), cudaStreamNonBlocking));
        for (k = 1; k <= NWK; ++k)
            IWFREE(k, l) = (l - 1) * NWK + k;
        NWFREE(l) = NWK;
    }
    RETERR(cudaMemcpy(basgpu_.dhead, basarr_.hhead, sizeof(double) * NX * NAQ,
                      cudaMemcpyHostToDevice));
    RETERR(cudaDeviceSynchronize());
}

void bgterm_(void)
{
    int l;

    for (l = 1; l <= NAQ; ++l)
        if (ISTRM(l)) cudaStreamDestroy(ISTRM(l));
    cudaFree(basgpu_.dwork);
    cudaFree(basgpu_.dhead);
}

/*     TAKE A WORK ARRAY FOR AQUIFER L                                   */
void getwrk_(const int *l, int *iw, int *ierr)
{
    *ierr = 0;
    if (NWFREE(*l) == 0) {
        *ierr = (int)cudaErrorMemoryAllocation;
        return;
    }
    *iw = IWFREE(NWFREE(*l), *l);
    NWFREE(*l) -= 1;
}

/*     GIVE IT BACK                                                      */
void relwrk_(const int *l, const int *iw)
{
    NWFREE(*l) += 1;
    IWFREE(NWFREE(*l), *l) = *iw;
}

void flux_(const int *l, const int *iw, int *ierr)
{
    kflux<<<NGR, NTB, 0, ISTRM(*l)>>>(&DHEAD(1, *l), &DWORK(1, *iw), TRANS(*l), RCHG(*l));
    *ierr = (int)cudaGetLastError();
}

void update_(const int *l, const int *iw, int *ierr)
{
    kupdat<<<NGR, NTB, 0, ISTRM(*l)>>>(&DHEAD(1, *l), &DWORK(1, *iw), basprm_.dt, basprm_.iclos);
    *ierr = (int)cudaGetLastError();
}

/*     FETCH THE HEADS OF ALL AQUIFERS                                   */
void gethed_(int *ierr)
{
    int l;

    for (l = 1; l <= NAQ; ++l) {
        RETERR(cudaMemcpyAsync(&HHEAD(1, l), &DHEAD(1, l), sizeof(double) * NX,
                               cudaMemcpyDeviceToHost, ISTRM(l)));
        RETERR(cudaStreamSynchronize(ISTRM(l)));
    }
}
