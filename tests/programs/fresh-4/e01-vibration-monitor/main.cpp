#include "monitor.h"
#include <cstdio>

int main()
{
    long wrong = 0;
    std::size_t count = 0;
    {
        rig::Monitor stand(rig::MonitorConfig{});
        stand.poll_all();
        wrong = stand.audit();
        count = stand.readings();
    }
    std::printf("%zu readings audited\n", count);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
