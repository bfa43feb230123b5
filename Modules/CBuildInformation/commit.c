#include "CBuildInformation.h"

// Package.swift defines it from the environment variable of this name. It is in a file of its own,
// so that another commit compiles nothing else again.
#ifndef APPCORE_COMMIT
#define APPCORE_COMMIT ""
#endif

const char *build_commit(void) { return APPCORE_COMMIT; }
