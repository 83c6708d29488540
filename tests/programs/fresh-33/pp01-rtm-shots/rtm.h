/* rtm.h - shared declarations of the line migration code
 * The code descends from a Fortran program; what used to be COMMON /RTMENV/
 * is the structure rtmenv_ below.  A shot is run as a list of stages, each
 * of which works on one slot (the device state of a shot in flight).
 */
#ifndef RTM_H
#define RTM_H
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#define RTM_NX      1024        /* points of a line                    */
#define RTM_NT      100         /* time steps of one leg, an even count */
#define RTM_WIDTH   48          /* absorbing margin                    */
#define RTM_SHOTS   8
#define RTM_SLOTS   4
#define RTM_PACE    100000LL    /* device ns of one time step          */
#define RTM_THREADS 256

enum rtm_kernel_id { K_INJECT = 0, K_PROPAGATE, K_TAPER, K_IMAGE, K_COUNT };

struct rtm_common {
    int        nx, nt, width;
    long long  pace;
    double    *vel;
    CUstream   stream;          /* stream of the slot in work */
    CUfunction fn[K_COUNT];
};
extern struct rtm_common rtmenv_;

struct rtm_slot {
    CUstream stream;
    double  *p, *q;             /* two time levels           */
    double  *wav, *img;         /* wavelet and running image */
};

struct rtm_shot {
    int     id;
    double *wavelet, *gather;   /* host, page locked */
};

typedef void (*rtm_stage_fn)(struct rtm_slot *, struct rtm_shot *);

struct rtm_stage {
    const char  *name;
    rtm_stage_fn run;
};

void rtm_bind_kernels(void);
void rtm_launch(enum rtm_kernel_id id, unsigned blocks, void **args);
void stage_inject(struct rtm_slot *, struct rtm_shot *);
void stage_propagate(struct rtm_slot *, struct rtm_shot *);
void stage_image(struct rtm_slot *, struct rtm_shot *);
void stage_boundary(struct rtm_slot *, struct rtm_shot *);
double rtm_taper_factor(int i, int width);
long rtm_verify(const struct rtm_shot *shots, const double *vel, const double *image);

[[noreturn]] static inline void rtm_die(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}

static inline void rtm_die_drv(CUresult r) {
    const char *n = nullptr;
    cuGetErrorName(r, &n);
    rtm_die(n ? n : "CUDA_ERROR_UNKNOWN");
}
#define RT(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) rtm_die(cudaGetErrorName(e_)); } while (0)
#define DRV(call) do { CUresult r_ = (call); if (r_ != CUDA_SUCCESS) rtm_die_drv(r_); } while (0)
#endif
