#pragma once
#include <cstdlib>
#include <cstring>

struct Params {
    int nx = 512;         // columns
    int rows = 96;        // interior rows of each strip
    int steps = 60;
    int chem_us = 600;    // time budget of the contact-layer chemistry
    float alpha = 0.2f;
    float source = 0.35f; // heat released per step at the contact layer
};

inline Params params_from_args(int argc, char** argv) {
    Params p;
    for (int i = 1; i < argc; ++i) {
        auto eq = std::strchr(argv[i], '=');
        if (!eq) continue;
        size_t len = eq - argv[i];
        auto is = [&](const char* k) { return std::strlen(k) == len && !std::strncmp(argv[i], k, len); };
        if (is("nx")) p.nx = std::atoi(eq + 1);
        else if (is("rows")) p.rows = std::atoi(eq + 1);
        else if (is("steps")) p.steps = std::atoi(eq + 1);
        else if (is("chem_us")) p.chem_us = std::atoi(eq + 1);
        else if (is("alpha")) p.alpha = std::atof(eq + 1);
        else if (is("source")) p.source = std::atof(eq + 1);
    }
    return p;
}
