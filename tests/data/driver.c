// A driver without a GPU, for tests: one device whose memory is that of the host, and whose health is the first word
// of the file `FAKE_GPU` names: none, busy, lost, silent; anything else is well.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Result;
typedef unsigned long long Address;

static int is(const char *wanted) {
  char word[16] = "";
  const char *path = getenv("FAKE_GPU");
  FILE *file = path ? fopen(path, "r") : NULL;
  if (file != NULL) {
    if (fscanf(file, "%15s", word) != 1) word[0] = 0;
    fclose(file);
  }
  return strcmp(word, wanted) == 0;
}

Result cuInit(unsigned flags) {
  while (is("silent")) sleep(1);
  return is("none") ? 100 : 0;
}
Result cuGetErrorString(Result error, const char **text) { return *text = "as the test says", 0; }

// Device and context.
Result cuDeviceGetCount(int *count) { return *count = 1, 0; }
Result cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
Result cuDeviceGetName(char *name, int length, int device) {
  snprintf(name, length, "NVIDIA Test");
  return 0;
}
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
  // The major part of the compute capability, and the number of multiprocessors.
  return *value = attribute == 75 ? 8 : attribute == 16 ? 4 : 0, 0;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) { return *context = (void *)1, is("busy") ? 46 : 0; }
Result cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
Result cuCtxSetCurrent(void *context) { return 0; }
Result cuCtxGetCurrent(void **context) { return *context = (void *)1, 0; }
Result cuCtxSynchronize(void) { return 0; }

// Memory.
Result cuMemAlloc_v2(Address *memory, size_t bytes) { return *memory = (Address)malloc(bytes), is("lost") ? 719 : 0; }
Result cuMemAllocAsync(Address *memory, size_t bytes, void *stream) { return cuMemAlloc_v2(memory, bytes); }
Result cuMemFree_v2(Address memory) { return free((void *)memory), 0; }
Result cuMemFreeAsync(Address memory, void *stream) { return cuMemFree_v2(memory); }
Result cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) { return memcpy((void *)to, from, bytes), 0; }
Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, void *stream) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
Result cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) { return memcpy(to, (void *)from, bytes), 0; }
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *stream) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
Result cuMemsetD8Async(Address memory, unsigned char value, size_t bytes, void *stream) {
  return memset((void *)memory, value, bytes), 0;
}

// Streams, events, and the one kernel that is launched.
Result cuStreamSynchronize(void *stream) { return 0; }
Result cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return 0; }
Result cuEventCreate(void **event, unsigned flags) { return *event = (void *)3, 0; }
Result cuEventDestroy_v2(void *event) { return 0; }
Result cuEventRecord(void *event, void *stream) { return 0; }
Result cuModuleLoadData(void **module, const void *image) { return *module = (void *)4, 0; }
Result cuModuleGetFunction(void **function, void *module, const char *name) { return *function = (void *)5, 0; }
Result cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y,
                      unsigned block_z, unsigned shared, void *stream, void **arguments, void **more) {
  return **(unsigned **)arguments[1] = 42, 0;
}
