// what it asks: what a function returns that has no return statement, but assembly which leaves the result where it belongs
void observe(long long value);

__attribute__((naked)) static int seven() { __asm__("movl $7, %eax\n\tret"); }

int main() {
  int got = seven();
  observe(got);
  observe(got + 1);
}
