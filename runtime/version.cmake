# Writes OUT: fg_version, from RELEASE and a hash of FILES. Called by CMakeLists.txt.
set(sum "")
foreach(file IN LISTS FILES)
  file(SHA1 ${file} one)
  string(APPEND sum ${one})
endforeach()
string(SHA1 sum "${sum}")
string(SUBSTRING ${sum} 0 12 sum)
file(WRITE ${OUT} "/* Made by runtime/version.cmake. */\n#include \"runtime/version.h\"\n\nconst char fg_version[] = \"${RELEASE}+${sum}\";\n")
