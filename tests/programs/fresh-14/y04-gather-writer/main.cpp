#include <cstdio>

#include "acquisition.h"
#include "writer.h"

int main() {
    const seis::Survey survey;
    TraceWriter writer(survey.slots, survey.gathers);
    int wrong = 0;
    {
        seis::Acquisition acquisition(survey, writer);
        for (int g = 0; g < survey.gathers; ++g) acquisition.enqueue(g);
        acquisition.drain();
        writer.close();
    }
    for (int g = 0; g < survey.gathers; ++g) {
        double sum = 0.0;
        for (int t = 0; t < survey.traces; ++t)
            for (int s = 0; s + t < survey.samples; ++s)
                sum += (t * 3 + s + t + g * 7) % 16;
        if (sum != writer.checksum(g)) ++wrong;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
