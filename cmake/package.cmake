# cpack: Debian packages, fftgen, fftgen-fftw3 and, where LLVM is, fftgen-llvm; cpack --config
# CPackSourceConfig.cmake: a tarball of the source.
set(CPACK_PACKAGE_NAME fftgen)
set(CPACK_PACKAGE_VENDOR fftgen)
set(FFTGEN_MAINTAINER "the fftgen authors <root@localhost>" CACHE STRING "Maintainer of the Debian package, NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${FFTGEN_MAINTAINER}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

# Dependencies by dpkg-shlibdeps. LLVM is larger than all the rest: its plugin is a package of its own.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
# First lines are what lists of packages show; a summary of all would take their place.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME fftgen)
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION
    "generate proven FFT sources that stand alone
fftgen compiles transforms, said in a line of text, to C, OpenCL, CUDA, HIP, Metal or SYCL, and
proves what it writes. With it: libfftgen, which runs such kernels or makes them
just in time, what CMake and pkg-config look for, and the manual.")
if(TARGET fftgen_llvm)
  list(APPEND CPACK_COMPONENTS_ALL llvm)
  set(CPACK_DEBIAN_LLVM_PACKAGE_NAME fftgen-llvm)
  set(CPACK_DEBIAN_LLVM_PACKAGE_DEPENDS "fftgen (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_LLVM_DESCRIPTION
      "machine code by LLVM for fftgen and libfftgen
Beside libfftgen it makes kernels just in time, without a compiler.")
endif()
if(TARGET fftgen_fftw3)
  list(APPEND CPACK_COMPONENTS_ALL fftw3)
  set(CPACK_DEBIAN_FFTW3_PACKAGE_NAME fftgen-fftw3)
  set(CPACK_DEBIAN_FFTW3_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_FFTW3_PACKAGE_RECOMMENDS "fftgen (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_FFTW3_PACKAGE_CONTROL_EXTRA "${CMAKE_BINARY_DIR}/fftw3.deb/postinst;${CMAKE_BINARY_DIR}/fftw3.deb/prerm")
  set(CPACK_DEBIAN_FFTW3_DESCRIPTION
      "FFTW's interface by fftgen
Programs of FFTW 3 run on it, in single and double precision, by an alternative, libfftw3.")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "gcc | clang, fftgen-fftw3")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME fftgen-${PROJECT_VERSION})
string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\\\\\1" here "${CMAKE_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES "^${here}/\\\\.git" "^${here}/build" "^${here}/out/" "^${here}/\\\\.bench/")
include(CPack)
