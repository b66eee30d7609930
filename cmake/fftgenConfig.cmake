# find_package(fftgen): the targets fftgen::runtime, fftgen::runtime_static and
# fftgen::fftgen (the program), and the function fftgen_add_kernels.
include(${CMAKE_CURRENT_LIST_DIR}/fftgenTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/fftgenKernels.cmake)
