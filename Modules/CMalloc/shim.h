#ifndef APPCORE_CMALLOC_SHIM_H
#define APPCORE_CMALLOC_SHIM_H

// How glibc keeps memory, which its Swift module leaves out.
#include <malloc.h>

#endif
