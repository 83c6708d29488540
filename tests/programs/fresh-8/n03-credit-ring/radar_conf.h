#ifndef RADAR_CONF_H
#define RADAR_CONF_H

struct radar_conf {
    int      samples;        /* per pulse */
    unsigned pulses;         /* per dwell */
    unsigned burst;          /* pulses per coherent processing interval */
    unsigned long ring_bytes;
};

/* X-band surveillance profile. */
static inline struct radar_conf radar_conf_xband(void)
{
    struct radar_conf c;
    c.samples = 16384;
    c.pulses = 36;
    c.burst = 6;
    c.ring_bytes = 256ul * 1024;
    return c;
}

#endif
