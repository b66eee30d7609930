/* HIP's text on a GPU of NVIDIA's: the device "cuda" with the words of HIP in front of
 * the source. It shows that the text is right and what it costs there; of AMD's speed it
 * says nothing. Not in the table of devices: HIP should run like that only to
 * compare. */
#ifndef FG_HIP_ON_CUDA_H
#define FG_HIP_ON_CUDA_H
#include "targets/device.h"

extern const fg_device fg_port_device_hip_on_cuda;

#endif
