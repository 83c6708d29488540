// what it asks: Does an auto loop variable have the type of the elements, const where the container or the variable is?
#include <memory>
#include <vector>

void observe(long long value);

struct Shape {
    virtual ~Shape() = default;
    virtual int corners() const = 0;
};
struct Square : Shape {
    int corners() const override { return 4; }
};
struct Circle : Shape {
    int corners() const override { return 0; }
};

struct Point {
    int x;
};
int kind(Point&) { return 1; }
int kind(const Point&) { return 2; }

template <class T>
int of(T&) { return 3; }
int of(std::unique_ptr<Shape>&) { return 4; }

int total(const std::vector<Point>& points) {
    int sum = 0;
    for (auto& point : points) sum += kind(point);
    return sum;
}

int main() {
    std::vector<Point> points{{1}, {2}, {3}};
    int sum = 0;
    for (auto& point : points) sum += kind(point);
    observe(sum);
    for (const auto& point : points) sum += kind(point);
    observe(sum);
    for (auto point : points) {
        point.x += 10;
        sum += kind(point);
    }
    observe(sum);
    observe(points[1].x);
    observe(total(points));
    Point row[2] = {{5}, {6}};
    int row_sum = 0;
    for (auto& point : row) row_sum += point.x * kind(point);
    observe(row_sum);
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>());
    shapes.push_back(std::make_unique<Circle>());
    shapes.push_back(std::make_unique<Square>());
    int corners = 0;
    int which = 0;
    for (auto& shape : shapes) {
        corners += shape->corners();
        which += of(shape);
    }
    observe(corners);
    observe(which);
}
