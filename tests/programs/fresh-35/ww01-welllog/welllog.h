/*
 * welllog.h - gamma ray log stacking, GPU back end
 *
 * Two tool strings ("near" and "far") are logged alternately. Every pair of
 * passes is despiked and stacked into one curve; a peak is kept per pass pair.
 */
#ifndef WELLLOG_H
#define WELLLOG_H

#define WL_NSAMP   16384
#define WL_NPASS   12
#define WL_NPAIR   (WL_NPASS / 2)

#define WL_OK      0
#define WL_EGPU    (-1)
#define WL_ERANGE  (-2)

extern const char *wl_errname;

int  wl_open(void);
int  wl_pass(int ipass, void (*reader)(int ipass, short *dst, int n));
int  wl_fetch(int *curve, int *peaks);
void wl_close(void);

/* host model, wl_main.cu */
void wl_read(int ipass, short *dst, int n);
void wl_model(int *curve, int *peaks);

#endif
