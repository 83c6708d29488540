//! Summaries of small kernels.
