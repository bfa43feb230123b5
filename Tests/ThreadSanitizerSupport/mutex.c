// Lets Thread Sanitizer see what a contended `Synchronization.Mutex` does.
//
// The fast path of the standard library's mutex is compiled into our modules, and so is
// instrumented; the slow path, taken under contention, lives in a library that is not. Sanitizer
// then sees two threads in the critical section with nothing between them and reports a race that
// is none. In sanitized builds this definition takes the place of the library's slow path: it
// waits with atomic operations that Sanitizer understands. Other builds contain nothing of it.
//
// The word holds 0 or the id of the thread that owns the mutex, as in the standard library
// (stdlib/public/Synchronization/Mutex/LinuxImpl.swift). Should that symbol be renamed one day,
// this is simply not linked in, and the false reports are back.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && defined(__linux__)
#include <sched.h>
#include <stdint.h>

__attribute__((swiftcall)) void appcore_test_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) uint32_t *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void appcore_test_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) uint32_t *word) {
  uint32_t unlocked = 0;
  while (!__atomic_compare_exchange_n(
      word, &unlocked, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    unlocked = 0;
    sched_yield();
  }
}
#endif
#endif
