# fftgen_add_kernels(TARGET NAME name PROBLEMS problem... [ISA isa...] [ARCH machine] [REGISTER])
#
# Generates C for the problems when TARGET is built, and compiles it into TARGET.
#   without REGISTER: sources that stand alone; include "name_1.h", call what it declares
#     (with several ISAs: name_1_scalar.h, name_1_avx2.h and so on)
#   with REGISTER: kernels for libfftgen; declare
#     extern const fftgen_kernel *const name_kernels[];   and call fftgen_register(name_kernels)
# ISA: scalar (the default), sse2, avx2, avx512; with REGISTER the widest that the CPU
# can run is taken.
# ARCH: the machine that plans are made for (fftgen devices --arch), for example zen4;
# without ISA its widest instructions are used.
# In a cross build FFTGEN_PROGRAM names an fftgen that runs here; libfftgen for the
# other machine is what -DFFTGEN_RUNTIME_ONLY=ON builds and installs.

# The program that generates: what add_custom_command calls, and where it lies now.
function(fftgen_find_program program file)
  if(FFTGEN_PROGRAM)
    set(${program} ${FFTGEN_PROGRAM} PARENT_SCOPE)
    set(${file} ${FFTGEN_PROGRAM} PARENT_SCOPE)
  elseif(TARGET fftgen::fftgen)
    get_target_property(location fftgen::fftgen LOCATION)
    set(${program} fftgen::fftgen PARENT_SCOPE)
    set(${file} ${location} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "fftgen: this package holds libfftgen alone; set FFTGEN_PROGRAM to an fftgen that runs here")
  endif()
endfunction()

# Compiler flags of an instruction set, as the program knows them.
function(fftgen_isa_flags program isa out)
  get_property(known GLOBAL PROPERTY FFTGEN_ISAS)
  if(NOT known)
    execute_process(COMMAND ${program} devices --json OUTPUT_VARIABLE known RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "${program} devices --json: ${failed}")
    endif()
    set_property(GLOBAL PROPERTY FFTGEN_ISAS "${known}")
  endif()
  string(JSON count LENGTH "${known}" isas)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON name GET "${known}" isas ${i} isa)
    if(name STREQUAL isa)
      string(JSON flags GET "${known}" isas ${i} flags)
      separate_arguments(flags)
      set(${out} ${flags} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "fftgen_add_kernels: ISA ${isa}: fftgen knows none of that name")
endfunction()

# What is known of a machine: its instruction set; it is an error where it has none that C is emitted for.
function(fftgen_arch_isa program arch out)
  execute_process(COMMAND ${program} devices --arch=${arch} --json OUTPUT_VARIABLE known ERROR_VARIABLE why
                  RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "fftgen_add_kernels: ARCH ${arch}: ${why}")
  endif()
  string(JSON isa ERROR_VARIABLE none GET "${known}" isa)
  if(none)
    message(FATAL_ERROR "fftgen_add_kernels: ARCH ${arch}: no CPU; kernels for GPUs are made by fftgen pack --target")
  endif()
  set(${out} ${isa} PARENT_SCOPE)
endfunction()

function(fftgen_compile_with program isa)
  fftgen_isa_flags(${program} ${isa} flags)
  set_source_files_properties(
    ${ARGN} PROPERTIES COMPILE_OPTIONS
                       "-O3;-ffp-contract=fast;$<$<C_COMPILER_ID:GNU>:-fno-ivopts>;${flags}")
endfunction()

function(fftgen_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 K "REGISTER" "NAME;ARCH" "PROBLEMS;ISA")
  if(NOT K_NAME OR NOT K_PROBLEMS OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fftgen_add_kernels(TARGET NAME name PROBLEMS problem... [ISA isa...] [ARCH machine] [REGISTER])")
  endif()
  fftgen_find_program(program asked)
  set(planned)
  if(K_ARCH)
    fftgen_arch_isa(${asked} ${K_ARCH} widest)
    set(planned --arch ${K_ARCH})
  endif()
  if(NOT K_ISA)
    set(K_ISA scalar)
    if(K_ARCH)
      set(K_ISA ${widest})
    endif()
  endif()
  list(LENGTH K_ISA isas)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${K_NAME})
  set(number 0)
  set(sources)
  foreach(problem IN LISTS K_PROBLEMS)
    math(EXPR number "${number} + 1")
    foreach(isa IN LISTS K_ISA)
      set(name ${K_NAME}_${number})
      if(K_REGISTER OR isas GREATER 1)
        string(APPEND name _${isa})
      endif()
      fftgen_compile_with(${asked} ${isa} ${folder}/${name}.c)
      list(APPEND sources ${folder}/${name}.c)
      if(NOT K_REGISTER)
        add_custom_command(
          OUTPUT ${folder}/${name}.c ${folder}/${name}.h
          COMMAND ${program} emit ${problem} --isa ${isa} ${planned} --prefix ${name} -o ${folder}
          DEPENDS ${program}
          VERBATIM)
      endif()
    endforeach()
  endforeach()
  if(K_REGISTER)
    list(JOIN K_ISA , list)
    add_custom_command(
      OUTPUT ${sources} ${folder}/${K_NAME}.c
      COMMAND ${program} pack ${K_PROBLEMS} --isa ${list} ${planned} --sources ${K_NAME} -o ${folder}
      DEPENDS ${program}
      VERBATIM)
    list(APPEND sources ${folder}/${K_NAME}.c)
  endif()
  target_sources(${target} PRIVATE ${sources})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# fftgen_add_bundle(TARGET NAME name PROBLEMS problem... [ISA isa...] [EMBEDDED] [MAX_CODE bytes])
#
# The same as one file, name.c, for several instruction sets at once: the CPU's
# widest is taken when the program runs. Include "name.h". ISA: scalar avx2 avx512
# when left out; EMBEDDED: scalar, static tables, nothing of libm.
function(fftgen_add_bundle target)
  cmake_parse_arguments(PARSE_ARGV 1 K "EMBEDDED" "NAME;MAX_CODE" "PROBLEMS;ISA")
  if(NOT K_NAME OR NOT K_PROBLEMS OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fftgen_add_bundle(TARGET NAME name PROBLEMS problem... [ISA isa...] [EMBEDDED] [MAX_CODE bytes])")
  endif()
  fftgen_find_program(program asked)
  set(options)
  if(K_ISA)
    list(JOIN K_ISA , list)
    list(APPEND options --isa ${list})
  endif()
  if(K_EMBEDDED)
    list(APPEND options --embedded)
  endif()
  if(K_MAX_CODE)
    list(APPEND options --max-code ${K_MAX_CODE})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${K_NAME})
  add_custom_command(
    OUTPUT ${folder}/${K_NAME}.c ${folder}/${K_NAME}.h
    COMMAND ${program} emit --bundle ${K_NAME} ${K_PROBLEMS} ${options} -o ${folder}
    DEPENDS ${program}
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${K_NAME}.c)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
