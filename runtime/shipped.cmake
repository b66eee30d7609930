# Writes OUT: FILES of wisdom, packed, as byte arrays (shipped.h). Kept of a line is what
# plans are chosen by; the k-th of WORDS is written as the byte k, which is below 32, where
# JSON has no bytes but the ends of lines. Called by cmake/runtime.cmake. A word that no
# line has costs its own length only; files of another device want one of theirs.
cmake_minimum_required(VERSION 3.25)
set(UNUSED
    ",\"(compiler|generator|date|made_by|check)\":\"[^\"]*\"|(\\.[0-9]+)?(,\"spread\":[0-9.e+-]+)?,\"l2\":[0-9.e+-]+|,\"final\":true|, driver for [^\"]*"
)
set(WORDS
    "{\"fftgen\":1,\"device\":\"NVIDIA H200, sm_90\",\"problem\":\"" "\",\"target\":\"cuda\",\"plan\":\"" ")\",\"ns\":"
    "c2c f32 n=" "c2c f64 n=" "c2c f16 n=" "r2c f32 n=" "r2c f64 n=" "c2r f32 n="
    "" # 10, an end of a line
    "c2r f64 n=" " batch=" "stockham(" "four-step(" "prime-factor(" "bluestein(" "direct(" "dense(" "real("
    " cluster=" " resident=" " threads=" " group=" " tile=" " rows=" " products=on" "shared_memory_carveout=" "bulk=" "queue="
    "prefetch_distance=" ", ")

# The array `name`: the bytes of `value`, and a 0.
function(add_array name value)
  string(HEX "${value}" hex)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  set(text "${text}static const unsigned char ${name}[] = {${bytes}0};\n" PARENT_SCOPE)
endfunction()

set(text "/* Made by runtime/shipped.cmake. */\n#include \"runtime/store/shipped.h\"\n")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ ${file} packed)
  string(REGEX REPLACE "${UNUSED}" "" packed "${packed}")
  set(code 0)
  foreach(word IN LISTS WORDS)
    math(EXPR code "${code} + 1")
    string(ASCII ${code} byte)
    if(word)
      string(REPLACE "${word}" "${byte}" packed "${packed}")
    endif()
  endforeach()
  add_array(file${index} "${packed}")
  get_filename_component(name ${file} NAME)
  string(APPEND rows "  {\"${name}\", (const char *)file${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()

list(JOIN WORDS "\n" words)
add_array(words "${words}\n")
string(APPEND text "const char *const fg_shipped_words = (const char *)words;\n")
string(APPEND text "const fg_shipped_file fg_shipped[] = {\n${rows}  {0, 0},\n};\n")
file(WRITE ${OUT} "${text}")
