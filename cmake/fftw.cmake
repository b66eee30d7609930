# libfftw3 and libfftw3f by fftgen (fftw/): codelets that the build generates, and what composes them.
set(FFTGEN_FFTW ON CACHE BOOL "Build libfftw3 and libfftw3f in place of FFTW's")
set(FFTW_ISAS scalar,avx2,avx512)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(FFTW_ISAS scalar,neon)
endif()
set(FFTGEN_FFTW_ISAS ${FFTW_ISAS} CACHE STRING "Instruction sets of their codelets; a package for any x86-64 adds sse2")
if(NOT FFTGEN_FFTW OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR FFTGEN_SANITIZE STREQUAL fuzz)
  return()
endif()

# Who writes the codelets: the program of this build, or for another machine one that runs here.
if(TARGET fftgen)
  set(FFTW_EMITTER fftgen)
elseif(FFTGEN_PROGRAM)
  set(FFTW_EMITTER ${FFTGEN_PROGRAM})
else()
  message(STATUS "no libfftw3: FFTGEN_PROGRAM names no fftgen that runs here")
  return()
endif()

include(GNUInstallDirs)

file(STRINGS fftw/codelet/radices.def RADIX_LINES REGEX "^CODELETS")
file(STRINGS fftw/codelet/ones.def ONE_LINES REGEX "^ONES")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS fftw/codelet/radices.def fftw/codelet/ones.def)
file(GLOB FFTW_SRC CONFIGURE_DEPENDS fftw/*/*.c)
list(FILTER FFTW_SRC EXCLUDE REGEX "/(linked|engine)\\.c$")
set(FFTW_PARTS ${FFTW_SRC}) # what the engine has of them: all but FFTW's functions
list(FILTER FFTW_PARTS EXCLUDE REGEX "/fftw/api/")
list(REMOVE_ITEM FFTW_SRC ${FFTW_PARTS})
set(FFTGEN_ENGINES)
# Sanitizers multiply the time that codelets take to be compiled: python/tests/asan.sh alone wants that.
set(FFTGEN_SANITIZE_CODELETS OFF CACHE BOOL "Codelets with the sanitizers of FFTGEN_SANITIZE, too")
if(NOT FFTGEN_SANITIZE_CODELETS)
  set(FFTW_CODELET_SANITIZE -fno-sanitize=all)
endif()
# What ones.c takes into its functions is not wanted beside them.
set_source_files_properties(fftw/codelet/ones.c PROPERTIES
  COMPILE_OPTIONS "-O2;-fno-tree-vectorize;-fno-unswitch-loops;-ffunction-sections;-fno-asynchronous-unwind-tables;-g0;${FFTW_CODELET_SANITIZE}"
  OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/fftw/fftw_f64_ones.c;${CMAKE_BINARY_DIR}/fftw/fftw_f32_ones.c")

# Codelets of several transforms are the text of the bundles below, in forward.c and backward.c.
foreach(direction forward backward)
  set_source_files_properties(fftw/codelet/${direction}.c PROPERTIES
    COMPILE_OPTIONS "-O2;-fno-tree-vectorize;-ffunction-sections;-fno-asynchronous-unwind-tables;-w;-g0;${FFTW_CODELET_SANITIZE}"
    OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/fftw/fftw_f64_${direction}.c;${CMAKE_BINARY_DIR}/fftw/fftw_f32_${direction}.c")
endforeach()
set(FFTW_LEVELS) # of the instruction sets, as a bundle numbers them
string(REPLACE "," ";" FFTW_ISA_LIST "${FFTGEN_FFTW_ISAS}")
foreach(isa sse2 avx2 avx512)
  list(FIND FFTW_ISA_LIST ${isa} number)
  if(number GREATER -1)
    math(EXPR number "${number} + 1")
    string(TOUPPER "FG_FFTW_${isa}=${number}" level)
    list(APPEND FFTW_LEVELS ${level})
  endif()
endforeach()

# Bundles for a precision: one of codelets that are alone, planned as any kernel is, and one a direction of all others,
# planned by direct.lua. Ranges are what is proved at; the text is the same for all (docs/fftw.md).
foreach(precision f64 f32)
  set(library fftgen_fftw3)
  set(real double)
  set(output fftw3)
  if(precision STREQUAL f32)
    set(library fftgen_fftw3f)
    set(real float)
    set(output fftw3f)
  endif()
  set(sources)
  set(texts)
  set(alone)
  set(folder ${CMAKE_BINARY_DIR}/fftw)
  foreach(direction forward backward)
    set(name fftw_${precision}_${direction})
    set(sign)
    set(real_kind r2c)
    if(direction STREQUAL backward)
      set(sign " sign=+1")
      set(real_kind c2r)
    endif()
    set(problems)
    foreach(line IN LISTS RADIX_LINES)
      string(REGEX MATCHALL "[0-9]+" number "${line}")
      list(GET number 0 n)
      set(index 2)
      foreach(form real columns twiddle across rows real_rows real_columns parts columns_in rows_in
            parts_leaf parts_twiddle alone_in real_in dense)
        math(EXPR index "${index} + 1")
        list(GET number ${index} has_${form})
      endforeach()
      math(EXPR most "2 * ${n}")
      set(end ${n}_${direction})
      set(side "batch=count[1..64]:1:1")
      set(behind "batch=count[1..64]:id[${n}..${most}]:od[${n}..${most}]")
      set(apart "n=${n}:is[1..64]:os[1..64]")
      list(APPEND alone "alone${end}=c2c ${precision} n=${n}${sign}")
      if(has_real)
        list(APPEND alone "real${end}=${real_kind} ${precision} n=${n}")
      endif()
      if(has_alone_in)
        list(APPEND alone "alone_in${end}=c2c ${precision} n=${n} place=in${sign}")
      endif()
      if(has_real_in)
        list(APPEND alone "real_in${end}=${real_kind} ${precision} n=${n} place=in")
      endif()
      if(has_parts AND direction STREQUAL forward)
        list(APPEND alone "parts${n}=c2c ${precision} n=${n} layout=split")
      endif()
      if(has_parts_leaf AND direction STREQUAL forward)
        list(APPEND problems "parts_leaf${n}=c2c ${precision} n=${n}:is[1..64]:1 batch=count[1..64]:1:od[${n}..${most}] layout=split")
      endif()
      if(has_parts_twiddle AND direction STREQUAL forward)
        list(APPEND problems
             "parts_twiddle${n}=c2c ${precision} n=${n}:is[1..64]:is ${side} place=in layout=split load=twiddle")
      endif()
      if(precision STREQUAL f32 AND has_columns) # half a vector of AVX2's
        list(APPEND problems "pair_columns${end}=c2c f32 ${apart} batch=2:1:1${sign}")
      endif()
      if(precision STREQUAL f32 AND has_rows)
        list(APPEND problems
             "pair_rows${end}=c2c f32 n=${n} batch=2:id[${n}..${most}]:od[${n}..${most}]${sign}")
      endif()
      if(precision STREQUAL f32 AND has_rows_in)
        list(APPEND problems "pair_rows_in${end}=c2c f32 n=${n} batch=2:id[${n}..${most}]:id place=in${sign}")
      endif()
      if(precision STREQUAL f32 AND has_columns_in)
        list(APPEND problems "pair_columns_in${end}=c2c f32 n=${n}:is[1..64]:is batch=2:1:1 place=in${sign}")
      endif()
      if(has_columns)
        list(APPEND problems "columns${end}=c2c ${precision} ${apart} ${side}${sign}"
             "leaf${end}=c2c ${precision} n=${n}:is[1..64]:1 batch=count[1..64]:1:od[${n}..${most}]${sign}")
      endif()
      if(has_twiddle)
        list(APPEND problems "twiddle${end}=c2c ${precision} n=${n}:is[1..64]:is ${side} place=in load=twiddle${sign}")
      endif()
      if(has_across)
        list(APPEND problems "across${end}=c2c ${precision} ${apart} ${side} load=mul${sign}")
      endif()
      if(has_columns_in)
        list(APPEND problems "columns_in${end}=c2c ${precision} n=${n}:is[1..64]:is ${side} place=in${sign}")
      endif()
      if(has_rows_in)
        list(APPEND problems
             "rows_in${end}=c2c ${precision} n=${n} batch=count[1..64]:id[${n}..${most}]:id place=in${sign}")
      endif()
      if(has_dense)
        list(APPEND problems "dense${end}=c2c ${precision} n=${n} batch=count[1..64]${sign}")
      endif()
      if(has_rows)
        list(APPEND problems "rows${end}=c2c ${precision} n=${n} ${behind}${sign}")
      endif()
      if(has_real_rows)
        list(APPEND problems "real_rows${end}=${real_kind} ${precision} n=${n} ${behind}")
      endif()
      if(has_real_columns)
        list(APPEND problems "real_columns${end}=${real_kind} ${precision} ${apart} ${side}")
      endif()
    endforeach()
    add_custom_command(
      OUTPUT ${folder}/${name}.c ${folder}/${name}.h
      COMMAND ${FFTW_EMITTER} emit --no-wisdom --bundle ${name} ${problems} --isa ${FFTGEN_FFTW_ISAS}
              --recipe ${CMAKE_SOURCE_DIR}/fftw/codelet/direct.lua -o ${folder}
      DEPENDS ${FFTW_EMITTER} fftw/codelet/radices.def fftw/codelet/direct.lua
      VERBATIM)
    list(APPEND texts ${folder}/${name}.c)
  endforeach()
  set(name fftw_${precision}_alone)
  add_custom_command(
    OUTPUT ${folder}/${name}.c ${folder}/${name}.h
    COMMAND ${FFTW_EMITTER} emit --no-wisdom --bundle ${name} ${alone} --isa ${FFTGEN_FFTW_ISAS}
            --recipe ${CMAKE_SOURCE_DIR}/fftw/codelet/alone.lua -o ${folder}
    DEPENDS ${FFTW_EMITTER} fftw/codelet/radices.def fftw/codelet/alone.lua
    VERBATIM)
  list(APPEND sources ${folder}/${name}.c)
  # Codelets of one transform at a time: scalar text, which ones.c includes.
  set(ones)
  foreach(line IN LISTS ONE_LINES)
    string(REGEX MATCHALL "[0-9]+" number "${line}")
    list(GET number 0 n)
    list(GET number 2 has)
    if(has)
      list(APPEND ones "complex_${n}=c2c ${precision} n=${n} layout=split")
    endif()
    list(GET number 3 has)
    if(has)
      list(APPEND ones "r2c_${n}=r2c ${precision} n=${n} layout=split" "c2r_${n}=c2r ${precision} n=${n} layout=split")
    endif()
    set(index 3)
    foreach(kind dct1 dct2 dct3 dct4 dst1)
      math(EXPR index "${index} + 1")
      list(GET number ${index} has)
      if(has)
        list(APPEND ones "${kind}_${n}=${kind} ${precision} n=${n}")
      endif()
    endforeach()
  endforeach()
  set(name fftw_${precision}_ones)
  add_custom_command(
    OUTPUT ${folder}/${name}.c ${folder}/${name}.h
    COMMAND ${FFTW_EMITTER} emit --no-wisdom --bundle ${name} ${ones} --isa scalar
            --recipe ${CMAKE_SOURCE_DIR}/fftw/codelet/direct.lua -o ${folder}
    DEPENDS ${FFTW_EMITTER} fftw/codelet/ones.def fftw/codelet/direct.lua
    VERBATIM)
  add_custom_target(${library}_ones DEPENDS ${folder}/${name}.c ${texts})
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-O2;-fno-tree-vectorize;-fno-asynchronous-unwind-tables;-w;-g0;${FFTW_CODELET_SANITIZE}")
  # The codelets and what composes them; then FFTW's functions on top of it, and the engine.
  set(parts ${library}_parts)
  add_library(${parts} OBJECT ${FFTW_PARTS} targets/env.c ${sources})
  add_dependencies(${parts} ${library}_ones)
  add_library(${library} SHARED ${FFTW_SRC} $<TARGET_OBJECTS:${parts}>)
  add_library(${library}_engine OBJECT fftw/engine/engine.c generator/base/recent.c)
  set(FFTW_TEXTS)
  foreach(direction forward backward)
    string(TOUPPER ${precision}_${direction} upper)
    string(TOUPPER ${direction} which)
    list(APPEND FFTW_TEXTS FG_FFTW_CODELETS_${which}_TEXT="fftw_${precision}_${direction}.c"
         FG_FFTW_CODELETS_${which}_NAME=fftw_${precision}_${direction} FG_FFTW_CODELETS_${which}_MACRO=FFTW_${upper})
  endforeach()
  foreach(target ${parts} ${library} ${library}_engine)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/fftw)
    target_compile_definitions(${target} PRIVATE FG_FFTW_REAL=${real} FG_FFTW_SINGLE=$<STREQUAL:${precision},f32>
                               FG_FFTW_CODELETS_FORWARD="fftw_${precision}_forward.h"
                               FG_FFTW_CODELETS_BACKWARD="fftw_${precision}_backward.h"
                               ${FFTW_LEVELS} ${FFTW_TEXTS}
                               FG_FFTW_CODELETS_ALONE="fftw_${precision}_alone.h"
                               FG_FFTW_CODELETS_ONES="fftw_${precision}_ones.c")
  endforeach()
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${output} VERSION 3.6.10 SOVERSION 3
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fftw)
  target_link_libraries(${library} PRIVATE m pthread dl)
  target_link_options(${library} PRIVATE -Wl,-Bsymbolic -Wl,--as-needed -Wl,--gc-sections
                                         -Wl,--version-script=${CMAKE_SOURCE_DIR}/fftw/exports.map)
  set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/fftw/exports.map)
  # The engine as one object, of which a program sees one name: so both precisions fit into one.
  set(engine ${CMAKE_BINARY_DIR}/fftw/engine_${precision}.o)
  add_custom_command(
    OUTPUT ${engine}
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${engine}.all $<TARGET_OBJECTS:${library}_engine> $<TARGET_OBJECTS:${parts}>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=fg_engine_${precision} ${engine}.all ${engine}
    COMMAND ${CMAKE_COMMAND} -E rm ${engine}.all
    DEPENDS $<TARGET_OBJECTS:${library}_engine> $<TARGET_OBJECTS:${parts}>
    COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND FFTGEN_ENGINES ${engine})
  # Names that programs with threads are linked to: nothing but a way to the functions above, and in a preload what keeps
  # FFTW's own out, which would want the insides of its other half.
  foreach(kind threads omp)
    add_library(${library}_${kind} SHARED fftw/api/linked.c)
    set_target_properties(${library}_${kind} PROPERTIES OUTPUT_NAME ${output}_${kind} VERSION 3.6.10 SOVERSION 3
                          C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fftw
                          INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${library}_${kind} PRIVATE ${library})
    target_link_options(${library}_${kind} PRIVATE -Wl,--no-as-needed)
  endforeach()
  list(APPEND FFTW_LIBRARIES ${library} ${library}_threads ${library}_omp)
  # In a folder of their own: whoever wants them in place of FFTW's says so.
  set(FFTW_PACKAGE fftgen-${output})
  set(FFTW_OUTPUT ${output})
  file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(cmake/fftgen-fftw3.pc.in ${CMAKE_BINARY_DIR}/${FFTW_PACKAGE}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${FFTW_PACKAGE}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT fftw3)
endforeach()
add_library(fftgen_engine STATIC ${FFTGEN_ENGINES})
set_target_properties(fftgen_engine PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(fftgen_engine INTERFACE m pthread dl)
install(TARGETS ${FFTW_LIBRARIES} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fftgen/fftw3 COMPONENT fftw3
        NAMELINK_COMPONENT fftw3)
# Fortran's include files, by the list of functions of the header.
foreach(form f03 f)
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/fftw/fftw3.${form}
    COMMAND sh ${CMAKE_SOURCE_DIR}/fftw/include/fortran.sh ${CMAKE_SOURCE_DIR}/fftw/include/fftw3.h ${form} >
            ${CMAKE_BINARY_DIR}/fftw/fftw3.${form}
    DEPENDS fftw/include/fortran.sh fftw/include/fftw3.h
    VERBATIM)
  list(APPEND FFTW_FORTRAN ${CMAKE_BINARY_DIR}/fftw/fftw3.${form})
endforeach()
add_custom_target(fftgen_fftw3_fortran ALL DEPENDS ${FFTW_FORTRAN})
install(FILES fftw/include/fftw3.h ${FFTW_FORTRAN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fftgen/fftw3
        COMPONENT fftw3)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fftgen-fftw3 RENAME copyright COMPONENT fftw3)

# The Debian package lets its user choose between these libraries and FFTW's, by files for the loader's configuration.
file(WRITE ${CMAKE_BINARY_DIR}/fftw3.deb/fftgen.conf "/usr/${CMAKE_INSTALL_LIBDIR}/fftgen/fftw3\n")
file(WRITE ${CMAKE_BINARY_DIR}/fftw3.deb/fftw.conf "# FFTW's own libraries\n")
foreach(script postinst prerm)
  configure_file(cmake/fftw3.deb/${script}.in ${CMAKE_BINARY_DIR}/fftw3.deb/${script} @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/fftw3.deb/fftgen.conf ${CMAKE_BINARY_DIR}/fftw3.deb/fftw.conf
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fftgen/fftw3 COMPONENT fftw3 EXCLUDE_FROM_ALL)
