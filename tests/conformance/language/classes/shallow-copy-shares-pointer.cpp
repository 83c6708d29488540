// what it asks: Does the implicit copy of a struct with a pointer share the pointed-to data but not its scalars?
void observe(long long value);

struct View {
    int* data;
    int size;
};

int main() {
    int cells[4] = {1, 2, 3, 4};
    View a{cells, 4};
    View b = a;
    b.data[2] = 50;
    b.size = 2;
    observe(a.data[2]);
    observe(a.size);
    b.data += 1;
    b.data[0] = 70;
    observe(*a.data * 1000 + a.data[1]);
    a = b;
    observe(*a.data + a.size);
}
