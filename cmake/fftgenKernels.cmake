# fftgen_add_kernels(TARGET NAME name FUNCTIONS function problem ... [ISA isa...] [ARCH machine] [WORK | REGISTER]
#                    [WISDOM file | NO_WISDOM])
#
# Generates C for the problems when TARGET is built, and compiles it into TARGET.
#   FUNCTIONS: a name and a problem in turn, or function="problem" as fftgen emit has it.
#   without REGISTER: sources that stand alone; include "name.h", call the functions by the names
#     that they have here. Of several ISAs the widest that the CPU has is taken when the program runs.
#   with WORK: all functions have one signature, whatever plan, instruction set and length need: the arrays and
#     void *work, of FUNCTION_WORK_BYTES, which function_init(work) prepares once.
#   with REGISTER: kernels for libfftgen; declare
#     extern const fftgen_kernel *const name_kernels[];   and call fftgen_register(name_kernels)
#     PROBLEMS problem...   in place of FUNCTIONS, as libfftgen finds them by problem
# ISA: scalar (the default), sse2, avx2, avx512, neon.
# ARCH: the machine that plans are made for (fftgen devices --arch), for example zen4;
# without ISA its widest instructions are used.
# WISDOM: a file of `fftgen tune` with plans, in place of the user's own; NO_WISDOM: the model alone.
# The target's project has to enable C: project(app LANGUAGES C CXX).
# In a cross build FFTGEN_PROGRAM names an fftgen that runs here; libfftgen for the
# other machine is what -DFFTGEN_RUNTIME_ONLY=ON builds and installs.

# The program that generates: what add_custom_command calls, and its path now.
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
    message(FATAL_ERROR "fftgen_add_kernels: ARCH ${arch}: no CPU; kernels for GPUs are made by fftgen emit, or pack, --target")
  endif()
  set(${out} ${isa} PARENT_SCOPE)
endfunction()

function(fftgen_compile_with program isa)
  fftgen_isa_flags(${program} ${isa} flags)
  set_source_files_properties(
    ${ARGN} PROPERTIES COMPILE_OPTIONS
                       "-O3;-ffp-contract=fast;$<$<C_COMPILER_ID:GNU>:-fno-ivopts>;${flags}")
endfunction()

# Kernels are C: told here, before CMake makes a target whose sources nobody compiles.
function(fftgen_check_language command target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${command}: ${target}: no such target; add_executable or add_library comes first")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT C IN_LIST languages)
    message(FATAL_ERROR "${command}: kernels are C, which this project does not enable; "
                        "say project(... LANGUAGES C CXX), or enable_language(C)")
  endif()
endfunction()

# Arguments of the program, name=problem each, and the names.
function(fftgen_name_problems command arguments_out names_out functions problems)
  set(arguments)
  set(names)
  while(functions)
    list(POP_FRONT functions name)
    if(name MATCHES "^([A-Za-z_][A-Za-z0-9_]*)=(.* .*)$") # as for fftgen emit: CMake leaves such quotes in
      set(name ${CMAKE_MATCH_1})
      string(REGEX REPLACE "^\"(.*)\"$" "\\1" problem "${CMAKE_MATCH_2}")
    else()
      list(POP_FRONT functions problem)
      string(REGEX REPLACE "=$" "" name "${name}") # a problem with brackets is an argument of its own
    endif()
    if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$" OR NOT problem MATCHES " ")
      message(FATAL_ERROR "${command}: FUNCTIONS ${name} \"${problem}\": a name and a problem in turn, "
                          "as in FUNCTIONS forward \"c2c f32 n=1024\"")
    endif()
    list(APPEND arguments "${name}=${problem}")
    list(APPEND names ${name})
  endwhile()
  foreach(problem IN LISTS problems) # a name that is the problem's, at any position
    string(REPLACE "+" "p" name "${problem}")
    string(REPLACE "-" "m" name "${name}")
    string(MAKE_C_IDENTIFIER "${name}" name)
    list(APPEND arguments "${name}=${problem}")
    list(APPEND names ${name})
  endforeach()
  set(${arguments_out} ${arguments} PARENT_SCOPE)
  set(${names_out} ${names} PARENT_SCOPE)
endfunction()

# Kernels for libfftgen, each compiled with the flags of its instruction set.
function(fftgen_add_registered target folder name arguments names isas)
  fftgen_find_program(program asked)
  set(sources ${folder}/${name}.c)
  foreach(one IN LISTS names)
    foreach(isa IN LISTS isas)
      fftgen_compile_with(${asked} ${isa} ${folder}/${name}_${one}_${isa}.c)
      list(APPEND sources ${folder}/${name}_${one}_${isa}.c)
    endforeach()
  endforeach()
  list(JOIN isas , list)
  add_custom_command(
    OUTPUT ${sources}
    COMMAND ${program} pack ${planned} ${arguments} --isa ${list} --sources ${name} -o ${folder}
    DEPENDS ${program} ${wisdom}
    VERBATIM)
  target_sources(${target} PRIVATE ${sources})
endfunction()

# Sources for one instruction set that no other is chosen beside, and one header for all of them.
function(fftgen_add_alone target folder name arguments names isa)
  fftgen_find_program(program asked)
  set(text)
  foreach(argument one IN ZIP_LISTS arguments names)
    fftgen_compile_with(${asked} ${isa} ${folder}/${one}.c)
    add_custom_command(
      OUTPUT ${folder}/${one}.c ${folder}/${one}.h
      COMMAND ${program} emit ${planned} ${argument} --isa ${isa} -o ${folder}
      DEPENDS ${program} ${wisdom}
      VERBATIM)
    target_sources(${target} PRIVATE ${folder}/${one}.c)
    string(APPEND text "#include \"${one}.h\"\n")
  endforeach()
  list(LENGTH names count)
  if(NOT name IN_LIST names)
    file(CONFIGURE OUTPUT ${folder}/${name}.h CONTENT "${text}")
  elseif(count GREATER 1)
    message(FATAL_ERROR "fftgen_add_kernels: NAME ${name} is one of several functions, too; its header is all of theirs")
  endif()
endfunction()

# One file for several instruction sets, which chooses when the program runs.
function(fftgen_add_chosen target folder name arguments)
  fftgen_find_program(program asked)
  add_custom_command(
    OUTPUT ${folder}/${name}.c ${folder}/${name}.h
    COMMAND ${program} emit ${planned} --bundle ${name} ${arguments} ${ARGN} -o ${folder}
    DEPENDS ${program} ${wisdom}
    VERBATIM)
  set_source_files_properties(${folder}/${name}.c PROPERTIES COMPILE_OPTIONS "-O3;$<$<C_COMPILER_ID:GNU>:-fno-ivopts>")
  target_sources(${target} PRIVATE ${folder}/${name}.c)
endfunction()

# Options of a program's call, and the file that it reads, for WISDOM and NO_WISDOM of a function.
function(fftgen_wisdom_options function options file wisdom none)
  if(wisdom AND none)
    message(FATAL_ERROR "${function}: NO_WISDOM: not with WISDOM")
  endif()
  set(${options} PARENT_SCOPE)
  set(${file} PARENT_SCOPE)
  if(none)
    set(${options} --no-wisdom PARENT_SCOPE)
  elseif(wisdom)
    get_filename_component(path "${wisdom}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "${function}: WISDOM ${wisdom}: there is no such file")
    endif()
    set(${options} --wisdom "${path}" PARENT_SCOPE)
    set(${file} "${path}" PARENT_SCOPE)
  endif()
endfunction()

function(fftgen_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 K "REGISTER;WORK;NO_WISDOM" "NAME;ARCH;WISDOM" "FUNCTIONS;PROBLEMS;ISA")
  if(NOT K_NAME OR NOT (K_FUNCTIONS OR K_PROBLEMS) OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fftgen_add_kernels(TARGET NAME name FUNCTIONS function problem ... [ISA isa...] [ARCH machine] [WORK | REGISTER])")
  endif()
  if(K_WORK AND K_REGISTER)
    message(FATAL_ERROR "fftgen_add_kernels: WORK: not with REGISTER; libfftgen brings the memory")
  endif()
  fftgen_check_language(fftgen_add_kernels ${target})
  if(K_PROBLEMS AND NOT K_REGISTER)
    message(FATAL_ERROR "fftgen_add_kernels: PROBLEMS is for REGISTER; name the functions: FUNCTIONS function problem ...")
  endif()
  fftgen_find_program(program asked)
  fftgen_wisdom_options(fftgen_add_kernels advised wisdom "${K_WISDOM}" "${K_NO_WISDOM}")
  set(planned ${advised})
  if(K_ARCH)
    fftgen_arch_isa(${asked} ${K_ARCH} widest)
    list(APPEND planned --arch ${K_ARCH})
  endif()
  if(NOT K_ISA)
    set(K_ISA scalar)
    if(K_ARCH)
      set(K_ISA ${widest})
    endif()
  endif()
  fftgen_name_problems(fftgen_add_kernels arguments names "${K_FUNCTIONS}" "${K_PROBLEMS}")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${K_NAME})
  list(LENGTH K_ISA isas)
  if(K_REGISTER)
    fftgen_add_registered(${target} ${folder} ${K_NAME} "${arguments}" "${names}" "${K_ISA}")
  elseif(isas EQUAL 1 AND NOT K_WORK)
    fftgen_add_alone(${target} ${folder} ${K_NAME} "${arguments}" "${names}" ${K_ISA})
  else()
    list(JOIN K_ISA , list)
    set(work)
    if(K_WORK)
      set(work --work)
    endif()
    fftgen_add_chosen(${target} ${folder} ${K_NAME} "${arguments}" --isa ${list} ${work})
  endif()
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# fftgen_add_bundle(TARGET NAME name FUNCTIONS function problem ... [ISA isa...] [EMBEDDED] [WORK] [MAX_CODE bytes])
#
# The same as one file, name.c, for several instruction sets at once: the CPU's
# widest is taken when the program runs. Include "name.h". ISA: scalar avx2 avx512
# when left out; EMBEDDED: scalar, static tables, nothing of libm. PROBLEMS problem...
# in place of FUNCTIONS: functions have the names of their problems, name_c2c_f32_n256_fwd.
function(fftgen_add_bundle target)
  cmake_parse_arguments(PARSE_ARGV 1 K "EMBEDDED;WORK;NO_WISDOM" "NAME;MAX_CODE;WISDOM" "FUNCTIONS;PROBLEMS;ISA")
  if(NOT K_NAME OR NOT (K_FUNCTIONS OR K_PROBLEMS) OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fftgen_add_bundle(TARGET NAME name FUNCTIONS function problem ... [ISA isa...] [EMBEDDED] [WORK] [MAX_CODE bytes])")
  endif()
  fftgen_check_language(fftgen_add_bundle ${target})
  fftgen_find_program(program asked)
  fftgen_name_problems(fftgen_add_bundle arguments names "${K_FUNCTIONS}" "")
  fftgen_wisdom_options(fftgen_add_bundle advised wisdom "${K_WISDOM}" "${K_NO_WISDOM}")
  set(options ${advised})
  if(K_ISA)
    list(JOIN K_ISA , list)
    list(APPEND options --isa ${list})
  endif()
  if(K_EMBEDDED)
    list(APPEND options --embedded)
  endif()
  if(K_WORK)
    list(APPEND options --work)
  endif()
  if(K_MAX_CODE)
    list(APPEND options --max-code ${K_MAX_CODE})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${K_NAME})
  add_custom_command(
    OUTPUT ${folder}/${K_NAME}.c ${folder}/${K_NAME}.h
    COMMAND ${program} emit --bundle ${K_NAME} ${arguments} ${K_PROBLEMS} ${options} -o ${folder}
    DEPENDS ${program} ${wisdom}
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${K_NAME}.c)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# fftgen_add_stream(TARGET NAME name STREAM stream [ISA isa...])
#
# A filter for samples as they come (docs/stream.md): include "name.h", call name_init, name_filter, name_push. ISA as
# of fftgen_add_bundle.
function(fftgen_add_stream target)
  cmake_parse_arguments(PARSE_ARGV 1 K "" "NAME;STREAM" "ISA")
  if(NOT K_NAME OR NOT K_STREAM OR K_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fftgen_add_stream(TARGET NAME name STREAM stream [ISA isa...])")
  endif()
  fftgen_check_language(fftgen_add_stream ${target})
  fftgen_find_program(program asked)
  set(options)
  if(K_ISA)
    list(JOIN K_ISA , list)
    set(options --isa ${list})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${K_NAME})
  add_custom_command(
    OUTPUT ${folder}/${K_NAME}.c ${folder}/${K_NAME}.h
    COMMAND ${program} emit --stream ${K_STREAM} --prefix ${K_NAME} ${options} -o ${folder}
    DEPENDS ${program}
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${K_NAME}.c)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
