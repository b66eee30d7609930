# What `cmake --install` puts where: the program, libfftgen, its headers, the plugin
# beside the library, and what find_package and pkg-config look for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(LIBRARIES fftgen_shared fftgen_static)
if(TARGET fftgen_openmp)
  list(APPEND LIBRARIES fftgen_openmp)
  set_target_properties(fftgen_openmp PROPERTIES EXPORT_NAME openmp)
endif()
foreach(library IN LISTS LIBRARIES)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(fftgen_shared PROPERTIES EXPORT_NAME runtime)
set_target_properties(fftgen_static PROPERTIES EXPORT_NAME runtime_static)
if(NOT FFTGEN_RUNTIME_ONLY)
  list(APPEND LIBRARIES fftgen_jit fftgen)
endif()
install(
  TARGETS ${LIBRARIES}
  EXPORT fftgenTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET fftgen_llvm)
  install(TARGETS fftgen_llvm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT llvm)
endif()

# Licences: ours in each package, and that of tcc, which is in libfftgen-jit.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fftgen RENAME copyright)
if(TARGET fftgen_llvm)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fftgen-llvm RENAME copyright COMPONENT llvm)
endif()
if(TARGET fftgen_jit)
  install(FILES /usr/share/doc/libtcc-dev/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fftgen RENAME copyright.libtcc OPTIONAL)
endif()

# Man pages and completions, by the program itself; a program for another machine cannot be asked.
if(TARGET fftgen AND NOT CMAKE_CROSSCOMPILING)
  set(SHARE ${CMAKE_BINARY_DIR}/share)
  add_custom_command(
    OUTPUT ${SHARE}/written
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${SHARE}
    COMMAND fftgen help --write ${SHARE}
    COMMAND ${CMAKE_COMMAND} -E touch ${SHARE}/written
    DEPENDS fftgen
    VERBATIM)
  add_custom_target(fftgen_help ALL DEPENDS ${SHARE}/written)
  install(DIRECTORY ${SHARE}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${SHARE}/bash-completion ${SHARE}/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
  # Debian's own packages have a folder of their own for zsh, and zsh there looks into no other below /usr.
  install(CODE "set(zsh zsh/site-functions)
    if(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(zsh zsh/vendor-completions)
    endif()
    file(INSTALL ${SHARE}/zsh/site-functions/_fftgen
         DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/\${zsh}\")")
endif()

install(DIRECTORY runtime/include/fftgen DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/fftgen)
install(EXPORT fftgenTargets NAMESPACE fftgen:: DESTINATION ${PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fftgenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/fftgenConfig.cmake cmake/fftgenKernels.cmake ${CMAKE_BINARY_DIR}/fftgenConfigVersion.cmake
        DESTINATION ${PACKAGE_DIR})

file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # the package may be moved as a whole
set(PACKAGES fftgen)
if(TARGET fftgen_openmp)
  list(APPEND PACKAGES fftgen-openmp)
endif()
foreach(package IN LISTS PACKAGES)
  configure_file(cmake/${package}.pc.in ${CMAKE_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
