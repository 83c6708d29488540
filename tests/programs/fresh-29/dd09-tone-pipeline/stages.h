#pragma once

#include "workspace.h"

#include <string>

struct ToneParams {
  int gain;
  int frame;
};

constexpr int kBins = 32;

// One stage of the pipeline. Derived names its arrays in bind(), which both
// reserve() and emit() go through.
template <class Derived>
class Stage {
 public:
  void reserve(Workspace& ws, Dims d, int slot) { self().bind(ws, d, slot); }
  void emit(Workspace& ws, Dims d, int slot, cudaStream_t s) {
    self().launch(self().bind(ws, d, slot), d, s);
    cuda(cudaGetLastError());
  }

 protected:
  static std::string slotted(const char* base, int slot) {
    return std::string(base) + "#" + std::to_string(slot);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

class Blur : public Stage<Blur> {
 public:
  struct Arrays {
    const unsigned char* in;
    unsigned char* out;
  };
  Arrays bind(Workspace& ws, Dims d, int slot);
  void launch(const Arrays& a, Dims d, cudaStream_t s);
};

class Histogram : public Stage<Histogram> {
 public:
  struct Arrays {
    const unsigned char* in;
    unsigned* bins;
  };
  Arrays bind(Workspace& ws, Dims d, int slot);
  void launch(const Arrays& a, Dims d, cudaStream_t s);
};

class Tone : public Stage<Tone> {
 public:
  struct Arrays {
    const unsigned char* blurred;
    const unsigned* bins;
    const ToneParams* params;
    unsigned char* out;
  };
  Arrays bind(Workspace& ws, Dims d, int slot);
  void launch(const Arrays& a, Dims d, cudaStream_t s);
};

void reference(const unsigned char* in, unsigned char* out, Dims d, ToneParams p);
