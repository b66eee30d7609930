# libfftgen, shared and static, and its adaptor for OpenMP: all of what
# -DFFTGEN_RUNTIME_ONLY=ON builds.

# Recipes, templates and the public description of kernels travel inside the
# program, as byte arrays.
file(GLOB EMBEDDED CONFIGURE_DEPENDS generator/recipes/*.lua templates/*.tmpl targets/*/*.tmpl)
list(APPEND EMBEDDED ${CMAKE_SOURCE_DIR}/runtime/include/fftgen/kernel.h)

# The version that wisdom and caches name: everything that emitted text depends on.
file(GLOB_RECURSE VERSIONED CONFIGURE_DEPENDS generator/*.[hc] generator/*.def targets/*.[hc] targets/forms/ops.def)
list(FILTER VERSIONED EXCLUDE REGEX "/generator/(cli/|main\\.c)")
set(VERSION_C ${CMAKE_BINARY_DIR}/version.c)
add_custom_command(
  OUTPUT ${VERSION_C}
  COMMAND ${CMAKE_COMMAND} -D OUT=${VERSION_C} -D RELEASE=${PROJECT_VERSION} -D "FILES=${VERSIONED};${EMBEDDED}"
          -P ${CMAKE_SOURCE_DIR}/runtime/version.cmake
  DEPENDS ${VERSIONED} ${EMBEDDED} runtime/version.cmake
  VERBATIM)

# libfftgen: with the parser of problems in it and nothing but libc around it.
file(GLOB SHIPPED_WISDOM CONFIGURE_DEPENDS runtime/wisdom/*.jsonl)
set(SHIPPED_C ${CMAKE_BINARY_DIR}/shipped_wisdom.c)
add_custom_command(
  OUTPUT ${SHIPPED_C}
  COMMAND ${CMAKE_COMMAND} -D OUT=${SHIPPED_C} -D "FILES=${SHIPPED_WISDOM}" -P ${CMAKE_SOURCE_DIR}/runtime/shipped.cmake
  DEPENDS ${SHIPPED_WISDOM} runtime/shipped.cmake
  VERBATIM)

file(GLOB RUNTIME_SRC CONFIGURE_DEPENDS runtime/*/*.c)
list(FILTER RUNTIME_SRC EXCLUDE REGEX "/runtime/openmp/")
list(APPEND RUNTIME_SRC ${SHIPPED_C})
set(PROBLEM_SRC generator/problem/problem.c generator/problem/scanner.c generator/problem/axes.c generator/problem/number.c
    generator/problem/check.c generator/problem/spectrum.c generator/problem/spectrum_text.c generator/problem/linear.c
    generator/problem/hint.c generator/problem/operations_text.c generator/problem/operation_table.c
    generator/problem/expression.c generator/problem/expression_text.c generator/problem/given.c generator/problem/frames.c
    generator/problem/bank.c
    generator/base/text_match.c generator/base/atomic_file.c generator/base/strbuf.c generator/base/arena.c generator/base/diag.c
    generator/base/recent.c
    generator/base/invariant.c targets/folder.c targets/env.c targets/cpu.c targets/number.c targets/timing.c)
# Drivers of devices, found with dlopen: declarations and facts.
set(DRIVER_SRC targets/library.c targets/cuda/driver_api.c targets/cuda/facts.c targets/opencl/cl_api.c
               targets/opencl/facts.c)
file(GLOB MACHINE_SRC CONFIGURE_DEPENDS targets/machine/*.c) # what is known of devices before they are asked
list(FILTER MACHINE_SRC EXCLUDE REGEX "/(costs[a-z0-9_]*|limits)\\.c$") # for who plans
set(FFTGEN_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # below 1.0 a minor version may change the interface
# Both libraries have the same objects, but for the machines' rows.
set(MAKING_SRC ${RUNTIME_SRC}) # what makes plans, of which executions and wisdom are not a part
list(FILTER MAKING_SRC INCLUDE REGEX "/runtime/(plan|load)/")
list(FILTER MAKING_SRC EXCLUDE REGEX "/plan/(exec|execute|kept|layout|mirror|unfold_f32|unfold_f64)\\.c$")
set(RUNNING_SRC ${RUNTIME_SRC})
list(REMOVE_ITEM RUNNING_SRC ${MAKING_SRC})
add_library(fftgen_objects OBJECT ${RUNNING_SRC} ${VERSION_C})
add_library(fftgen_texts OBJECT ${PROBLEM_SRC} ${DRIVER_SRC} ${MAKING_SRC})
foreach(kind SHARED STATIC)
  string(TOLOWER fftgen_${kind} library)
  add_library(${library} ${kind} $<TARGET_OBJECTS:fftgen_objects> $<TARGET_OBJECTS:fftgen_texts> ${MACHINE_SRC})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME fftgen C_VISIBILITY_PRESET hidden VERSION ${PROJECT_VERSION}
                        SOVERSION ${FFTGEN_SOVERSION})
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/runtime/include>)
  target_link_libraries(${library} PUBLIC m dl)
endforeach()
set_target_properties(fftgen_objects fftgen_texts PROPERTIES C_VISIBILITY_PRESET hidden)
foreach(library fftgen_objects fftgen_texts fftgen_shared fftgen_static)
  target_include_directories(${library} PRIVATE ${CMAKE_SOURCE_DIR}/runtime/include ${CMAKE_SOURCE_DIR})
  # Functions that the generator alone calls are left out of the shared library. It reads text and files and calls kernels,
  # which have options of their own: -O3 adds 15 kB of inlined copies in Release builds, 6 kB of them in check.c. What reads
  # problems, makes plans and asks drivers is the smaller the better.
  target_compile_options(${library} PRIVATE -ffunction-sections -fdata-sections
                                            $<$<CONFIG:Release>:$<IF:$<STREQUAL:${library},fftgen_texts>,-Os,-O2>>)
endforeach()
target_compile_definitions(fftgen_shared PRIVATE FG_MACHINE_BARE) # figures without their sources
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  target_link_options(fftgen_shared PRIVATE -Wl,--gc-sections)
endif()

# Batches in parallel, for programs that use OpenMP already.
find_package(OpenMP COMPONENTS C)
if(OpenMP_C_FOUND)
  add_library(fftgen_openmp SHARED runtime/openmp/adaptor.c)
  set_target_properties(fftgen_openmp PROPERTIES OUTPUT_NAME fftgen-openmp C_VISIBILITY_PRESET hidden
                        VERSION ${PROJECT_VERSION} SOVERSION ${FFTGEN_SOVERSION})
  target_include_directories(fftgen_openmp PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/runtime/include>
                             PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(fftgen_openmp PRIVATE OpenMP::OpenMP_C)
else()
  message(STATUS "no OpenMP: libfftgen-openmp is not built")
endif()
