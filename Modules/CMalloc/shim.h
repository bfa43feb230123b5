#ifndef APPCORE_CMALLOC_SHIM_H
#define APPCORE_CMALLOC_SHIM_H

// How glibc keeps memory, which its Swift module leaves out.
#include <malloc.h>

// SQLite's settings are a function without a fixed list of arguments, which Swift does not call.
#include <sqlite3.h>

// A function without a fixed list of arguments likewise.
#include <sys/prctl.h>

static inline int appcore_refuse_core_dumps(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// The C library has it since 2.34, and shows it to programs that ask for its extensions alone.
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

static inline int appcore_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline int appcore_sqlite_keep_no_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
