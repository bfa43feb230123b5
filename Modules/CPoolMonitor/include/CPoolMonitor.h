#ifndef APPCORE_POOL_MONITOR_H
#define APPCORE_POOL_MONITOR_H

// Keeps libdispatch from looking once a second whether the threads of its pool are blocked, unless
// it has begun: the first thread of the pool begins it. Only for a process that never blocks one.
void pool_monitor_stop(void);

#endif
