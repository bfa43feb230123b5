#ifndef APPCORE_CPROCESS_SHIM_H
#define APPCORE_CPROCESS_SHIM_H

// Settings of a process that Swift cannot reach by itself.

// Swift's module of glibc leaves it out.
#include <malloc.h>

// Swift does not call functions without a fixed list of arguments, such as sqlite3_config and prctl.
#include <sqlite3.h>
#include <sys/prctl.h>

static inline int appcore_refuse_core_dumps(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// glibc has this function since 2.34, but declares it only with _GNU_SOURCE.
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

static inline int appcore_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline int appcore_sqlite_keep_no_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
