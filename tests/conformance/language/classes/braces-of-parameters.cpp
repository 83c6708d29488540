// what it asks: Are parameters, results and elements of a class made of braces what the braces say, with its defaults for the rest?
// std: c++20
#include <array>

void observe(long long value);

struct Shape {
  int rows = 10;
  int columns = 4;
  long long cells() const { return static_cast<long long>(rows) * columns; }
};

struct Job {
  int id{};
  Shape shape{};
  unsigned seed = 7;
};

class Range {
public:
  Range(int first, int last) : first_(first), last_(last) {}
  int length() const { return last_ - first_; }

private:
  int first_, last_;
};

static void by_reference(const Shape &shape) {
  observe(shape.rows);
  observe(shape.cells());
}

static void by_value(Shape shape) {
  shape.rows += 1;
  observe(shape.rows);
}

static void by_default(int factor, Shape shape = {}) {
  observe(shape.rows * factor);
}

static void of_class(const Range &range) {
  observe(range.length());
}

static Shape standard() { return {}; }

static Shape wide() { return {.columns = 30}; }

static Range made(int from) { return {from, 12}; }

int main() {
  by_reference({});
  by_reference({3});
  by_reference({.columns = 6});
  by_value({});
  by_value({5, 6});
  by_default(2);
  by_default(3, {.rows = 4});
  of_class({2, 9});
  observe(standard().rows);
  observe(wide().cells());
  observe(made(5).length());

  std::array<Job, 12> jobs{};
  observe(jobs[4].seed + jobs[5].id);
  for (int i = 0; i < 12; ++i) jobs[i] = Job{.id = i, .seed = 3u * i};
  for (int i = 0; i < 12; i += 5) {
    observe(jobs[i].id);
    observe(jobs[i].seed);
    observe(jobs[i].shape.rows);
  }
  auto check = [](const Job &job) { observe(job.seed + job.id); };
  check({.id = 8});
  check({9});
}
