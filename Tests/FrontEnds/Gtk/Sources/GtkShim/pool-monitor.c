// libdispatch looks once a second whether the threads of its pool are blocked, and starts others if
// they are. An idle program would wake for this alone. The core never blocks a thread of the pool
// (it has threads of its own for what blocks), so this program goes without.
//
// The function stands before libdispatch's own because the linker asks the program first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

typedef void (*SetTimer)(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

static const uint64_t second = 1000000000;
static const uint64_t never = ~(uint64_t)0;

// True if an address is in the library that holds a function.
static int is_in_library_of(const void *address, const void *function) {
  Dl_info caller, library;
  return dladdr(address, &caller) && dladdr(function, &library) &&
         caller.dli_fbase == library.dli_fbase;
}

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  SetTimer set = (SetTimer)dlsym(RTLD_NEXT, "dispatch_source_set_timer");
  int is_monitor = interval == second && leeway == 0 &&
                   is_in_library_of(__builtin_return_address(0), (const void *)set);
  set(source, is_monitor ? never : start, interval, leeway);
}
