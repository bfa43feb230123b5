#ifndef APPCORE_CGCRYPT_SHIM_H
#define APPCORE_CGCRYPT_SHIM_H

#include <gcrypt.h>

/* Swift cannot call variadic functions.
 *
 * libsecret uses the same libgcrypt, and replaces its allocator with one that is not safe for
 * concurrent use, unless the program has initialized the library before. */
static inline void appcore_initialize_gcrypt(void) {
  if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return;
  gcry_check_version(NULL);
  /* Without permission to lock memory, it would complain on standard error. */
  gcry_control(GCRYCTL_DISABLE_SECMEM_WARN);
  gcry_control(GCRYCTL_INIT_SECMEM, 32768, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

#endif
