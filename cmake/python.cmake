# The Python package's extension (python/): NumPy's arrays on the engine of fftw/, which is linked into it.
set(FFTGEN_PYTHON AUTO CACHE STRING "Build the Python extension: ON, OFF, or AUTO, where there are Python's and NumPy's headers")
if(NOT FFTGEN_PYTHON OR NOT TARGET fftgen_engine OR FFTGEN_SANITIZE STREQUAL thread)
  return()
endif()
if(NOT FFTGEN_PYTHON STREQUAL AUTO)
  set(required REQUIRED)
elseif(CMAKE_CROSSCOMPILING)
  return() # the Python here is not the one there
endif()
if(NOT SKBUILD AND NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3) # the system's, whose packages ./dev installs
endif()
find_package(Python 3.10 ${required} QUIET COMPONENTS Interpreter Development.Module NumPy)
if(NOT Python_FOUND)
  message(STATUS "no Python 3.10, its headers or NumPy's: the Python extension is not built")
  return()
endif()
file(GLOB PYTHON_SRC CONFIGURE_DEPENDS python/core/*.c)
file(GLOB PYTHON_FILES CONFIGURE_DEPENDS python/fftgen/*.py python/fftgen/*.pyi python/fftgen/py.typed)
add_library(fftgen_python MODULE ${PYTHON_SRC})
set_target_properties(fftgen_python PROPERTIES PREFIX "" OUTPUT_NAME _core SUFFIX .abi3.so C_VISIBILITY_PRESET hidden
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/fftgen)
target_compile_definitions(fftgen_python PRIVATE Py_LIMITED_API=0x030a0000)
target_include_directories(fftgen_python PRIVATE ${CMAKE_SOURCE_DIR})
# NumPy's first: Debian has those of its own NumPy among Python's.
target_include_directories(fftgen_python SYSTEM PRIVATE ${Python_NumPy_INCLUDE_DIRS} ${Python_INCLUDE_DIRS})
target_compile_options(fftgen_python PRIVATE -O2)
target_link_libraries(fftgen_python PRIVATE fftgen_engine m pthread dl)
target_link_options(fftgen_python PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
# The package in the build folder: PYTHONPATH=build/python.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/fftgen)
foreach(file IN LISTS PYTHON_FILES)
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${CMAKE_BINARY_DIR}/python/fftgen/${name} SYMBOLIC)
endforeach()
install(TARGETS fftgen_python LIBRARY DESTINATION fftgen COMPONENT python EXCLUDE_FROM_ALL)

# A wheel: libfftgen, and what makes kernels where it runs, beside the extension, with the libraries that these need (which
# are LGPL's and others': each stays a file of its own) and their licences.
add_custom_target(fftgen_wheel DEPENDS fftgen_python)
if(NOT SKBUILD OR NOT TARGET fftgen_jit OR NOT TARGET fftgen_llvm)
  return()
endif()
add_dependencies(fftgen_wheel fftgen_shared fftgen_jit fftgen_llvm)
set_target_properties(fftgen_shared PROPERTIES VERSION ${FFTGEN_SOVERSION}) # one file: a wheel has no links
set_target_properties(fftgen_jit PROPERTIES INSTALL_RPATH "$ORIGIN")
target_link_options(fftgen_jit PRIVATE -Wl,--disable-new-dtags) # for libraries of libraries, too
install(TARGETS fftgen_shared LIBRARY DESTINATION fftgen COMPONENT python EXCLUDE_FROM_ALL NAMELINK_SKIP)
install(TARGETS fftgen_jit fftgen_llvm LIBRARY DESTINATION fftgen COMPONENT python EXCLUDE_FROM_ALL)
set(FFTGEN_PYTHON_KERNELS "" CACHE FILEPATH "A pack of kernels for GPUs that a wheel brings (python/pack.sh)")
if(FFTGEN_PYTHON_KERNELS)
  string(REGEX MATCH "\\.tar(\\.xz)?$" suffix ${FFTGEN_PYTHON_KERNELS})
  install(FILES ${FFTGEN_PYTHON_KERNELS} DESTINATION fftgen RENAME kernels${suffix} COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES LIBRARIES $<TARGET_FILE:fftgen_jit> RESOLVED_DEPENDENCIES_VAR libraries
       PRE_EXCLUDE_REGEXES ^ld-linux ^libc\\\\.so ^libm\\\\.so ^libdl\\\\.so ^libpthread\\\\.so ^libgcc_s)
  foreach(library IN LISTS libraries)
    get_filename_component(name \${library} NAME)
    file(REAL_PATH \${library} file)
    file(COPY_FILE \${file} \${CMAKE_INSTALL_PREFIX}/fftgen/\${name})
  endforeach()
  foreach(package llvm-19 libmpfr6 libgmp10 liblua5.4-0 libcjson1 libtcc-dev libzstd1 zlib1g libstdc++6)
    if(EXISTS /usr/share/doc/\${package}/copyright)
      file(INSTALL DESTINATION \${CMAKE_INSTALL_PREFIX}/fftgen/licenses TYPE FILE RENAME \${package} FILES /usr/share/doc/\${package}/copyright)
    endif()
  endforeach()" COMPONENT python EXCLUDE_FROM_ALL)
