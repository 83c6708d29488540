// what it asks: Does a function with a pointer-to-pointer parameter redirect the caller's pointer?
void observe(long long value);

static int pool[4] = {100, 200, 300, 400};

static int allocateLike(int** out, int index) {
    if (index > 3) {
        return 2;
    }
    *out = &pool[index];
    return 0;
}

int main() {
    int own = 5;
    int* p = &own;
    int status = allocateLike(&p, 2);
    observe(*p + status);
    status = allocateLike(&p, 9);
    observe(*p + status);
    observe(own);
}
