#ifndef APPCORE_CQRENCODE_SHIM_H
#define APPCORE_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
