// libdispatch looks once a second whether the threads of its pool are blocked, and starts others if
// they are (_dispatch_workq_monitor_pools). An idle program would wake for this alone. The core
// never blocks a thread of the pool: it has threads of its own for what blocks.
//
// The timer is made with a function that libdispatch exports, and the linker asks this library
// before it. A library that contains libdispatch is linked with --wrap, which does the same.
#define _GNU_SOURCE
#include "CPoolMonitor.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

typedef void (*SetTimer)(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

static const uint64_t second = 1000000000;
static const uint64_t never = ~(uint64_t)0;
static atomic_int is_stopped;

void pool_monitor_stop(void) { is_stopped = 1; }

// The timer that never fires, which would else look like lost memory.
static _Atomic(void *) stopped_timer;

// Nothing else of this library sets a timer that repeats each second to the nanosecond.
static uint64_t begin(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  if (!is_stopped || interval != second || leeway != 0) return start;
  stopped_timer = source;
  return never;
}

// True if an address is in the library that holds a function.
static int is_in_library_of(const void *address, const void *function) {
  Dl_info caller, library;
  return dladdr(address, &caller) && dladdr(function, &library) &&
         caller.dli_fbase == library.dli_fbase;
}

// Weak, because libdispatch has its own beside it if it is in the same file.
__attribute__((weak)) void dispatch_source_set_timer(
    void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  SetTimer set = (SetTimer)dlsym(RTLD_NEXT, "dispatch_source_set_timer");
  if (is_in_library_of(__builtin_return_address(0), (const void *)set)) {
    start = begin(source, start, interval, leeway);
  }
  set(source, start, interval, leeway);
}

// The linker makes it with --wrap alone.
__attribute__((weak)) void __real_dispatch_source_set_timer(
    void *source, uint64_t start, uint64_t interval, uint64_t leeway);

void __wrap_dispatch_source_set_timer(
    void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  start = begin(source, start, interval, leeway);
  __real_dispatch_source_set_timer(source, start, interval, leeway);
}
