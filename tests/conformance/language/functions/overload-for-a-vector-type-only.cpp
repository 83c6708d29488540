// what it asks: a function of the library is called where the only one the project gives its name takes a struct
#include <cmath>

void observe(long long value);

struct float2 {
  float x, y;
};

static int calls = 0;

static float2 fabs(float2 v) {
  calls += 10;
  v.x = std::fabs(v.x);
  v.y = std::fabs(v.y);
  return v;
}

int main() {
  double near = fabs(-2.5);
  observe(calls + 1);
  float2 both = {-1.0f, 2.0f};
  both = fabs(both);
  observe(calls + 2);
  double far = fabs(static_cast<double>(both.x));
  observe(calls + 3);
  return near < 0 || far < 0;
}
