#ifndef HELPER_SAMPLE_H_
#define HELPER_SAMPLE_H_

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

inline void checkResult(cudaError_t result, const char *call, const char *file, int line) {
    if (result != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s failed\n", file, line, call);
        printf("ERROR %s\n", cudaGetErrorName(result));
        exit(EXIT_FAILURE);
    }
}

#define checkCudaErrors(call) checkResult((call), #call, __FILE__, __LINE__)
#define getLastCudaError() checkResult(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

// Value of "--name=value" on the command line, or the fallback.
inline int getCmdLineInt(int argc, char **argv, const char *name, int fallback) {
    const size_t length = strlen(name);
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i];
        while (*arg == '-') ++arg;
        if (strncmp(arg, name, length) == 0 && arg[length] == '=') return atoi(arg + length + 1);
    }
    return fallback;
}

inline int findCudaDevice(int argc, char **argv) {
    const int dev = getCmdLineInt(argc, argv, "device", 0);
    cudaDeviceProp prop;
    checkCudaErrors(cudaSetDevice(dev));
    checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n", dev, prop.name, prop.major,
           prop.minor);
    return dev;
}

#endif
