#ifndef APPCORE_EVENTFD_H
#define APPCORE_EVENTFD_H

// eventfd(2), which Swift's module of glibc leaves out.
#include <sys/eventfd.h>

#endif
