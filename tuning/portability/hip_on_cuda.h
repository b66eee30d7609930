/* HIP's text on an NVIDIA GPU: the device "cuda" with HIP's definitions in front of the source. It shows that the
 * text is right and its speed there; it says nothing about the speed on AMD's GPUs. It is not in the table of
 * devices, because it is for comparison only. */
#ifndef FG_HIP_ON_CUDA_H
#define FG_HIP_ON_CUDA_H
#include "targets/device.h"

extern const fg_device fg_port_device_hip_on_cuda;

#endif
