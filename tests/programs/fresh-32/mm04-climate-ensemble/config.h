#ifndef CONFIG_H
#define CONFIG_H

/* build-time choices, normally written by configure */
#define HAVE_CUDA 1
#define USE_PINNED_BUFFERS 1
/* #undef USE_SINGLE_PRECISION */

#ifdef USE_SINGLE_PRECISION
typedef float real;
#else
typedef double real;
#endif

#define MEMBERS 4
#define NLON 192
#define NLAT 96
#define NLEV 8
#define NCELL (NLON * NLAT * NLEV)

#endif
