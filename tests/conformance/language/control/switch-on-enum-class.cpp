// what it asks: Does a switch over an enum class reach the case of the current value in a loop?
void observe(long long value);

enum class State { Idle, Copy, Launch, Done };

static State next(State s, int* cost) {
    switch (s) {
    case State::Idle:
        *cost += 1;
        return State::Copy;
    case State::Copy:
        *cost += 20;
        return *cost < 60 ? State::Idle : State::Launch;
    case State::Launch:
        *cost += 300;
        return State::Done;
    case State::Done:
        break;
    }
    return State::Done;
}

int main() {
    State s = State::Idle;
    int cost = 0;
    int steps = 0;
    while (s != State::Done) {
        s = next(s, &cost);
        ++steps;
    }
    observe(cost);
    observe(steps);
}
