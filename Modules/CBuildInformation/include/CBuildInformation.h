#ifndef APPCORE_BUILD_INFORMATION_H
#define APPCORE_BUILD_INFORMATION_H

// The commit that the program was built from; an empty string if the build did not name one.
const char *build_commit(void);

#endif
