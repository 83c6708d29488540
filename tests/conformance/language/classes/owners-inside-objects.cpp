// what it asks: Does a default move of an object move the owners inside it, so that each thing ends once, and where it was moved to?
#include <list>
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

static int gone = 0;

struct Counted {
  int size;
  explicit Counted(int size) : size(size) {}
  ~Counted() { gone += size; }
};

struct Release {
  void operator()(int *) const { gone += 100; }
};

static int number = 5;

class Part {
public:
  explicit Part(int size) : thing_(std::make_unique<Counted>(size)), borrowed_(&number) {}
  Part(Part &&) = default;
  Part &operator=(Part &&) = default;
  bool holds() const { return thing_ != nullptr; }
  int size() const { return thing_->size; }

private:
  std::unique_ptr<Counted> thing_;
  std::unique_ptr<int, Release> borrowed_;
};

static Part last_of(std::vector<Part> &parts) {
  Part part = std::move(parts.back());
  parts.pop_back();
  return part;
}

int main() {
  {
    Part one(1);
    Part two = std::move(one);
    observe(two.size());
    observe(gone);
  }
  observe(gone);
  std::vector<Part> parts;
  parts.push_back(Part(10));
  parts.push_back(Part(20));
  {
    Part taken = last_of(parts);
    observe(taken.size());
    observe(gone);
  }
  observe(gone);
  observe(static_cast<int>(parts.size()));
  std::list<Part> others;
  others.push_back(std::move(parts.front()));
  observe(others.front().size());
  observe(gone);
  others.clear();
  observe(gone);
}
