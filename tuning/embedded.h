/* Files of tuning/ that are compiled into the program. */
#ifndef FG_TUNING_EMBEDDED_H
#define FG_TUNING_EMBEDDED_H
#include "generator/base/embedded.h"

extern const fg_embedded_file fg_tuning_embedded[]; /* as fg_embedded */
#endif
