// what it asks: Does a chain of arrows reach and change the innermost object?
void observe(long long value);

struct Buffer { int* data; int size; };
struct Stream { Buffer* buffer; int id; };
struct Context { Stream* stream; };

int main() {
    int cells[3] = {7, 8, 9};
    Buffer buffer{cells, 3};
    Stream stream{&buffer, 4};
    Context context{&stream};
    Context* c = &context;
    c->stream->buffer->data[1] = 80;
    c->stream->buffer->size -= 1;
    observe(cells[1]);
    observe(buffer.size);
    observe((*(*c).stream).id);
    int last = *(c->stream->buffer->data + c->stream->buffer->size);
    observe(last);
}
